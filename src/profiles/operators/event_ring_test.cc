#include <gtest/gtest.h>

#include "profiles/operators/recording.h"

namespace ridgeline::profiles {
namespace {

constexpr int64_t kChunk = EventRing::kChunkEvents;

std::vector<int64_t> Starts(const EventRing& ring) {
  std::vector<int64_t> starts;
  ring.ForEach([&](const Event& event) { starts.push_back(event.start_ns); });
  return starts;
}

TEST(EventRing, KeepsTheNewestWithinItsLimitAndHandsOverTheOthers) {
  struct Case {
    const char* what;
    size_t limit_chunks;
    size_t ready_chunks;
    int64_t events;
    int64_t lost;
  };
  const Case cases[] = {
      {"nothing", 2, 0, 0, 0},
      {"one", 2, 1, 1, 0},
      {"a full chunk", 2, 2, kChunk, 0},
      {"all of the limit", 2, 5, 2 * kChunk, 0},
      {"one more makes a chunk go", 2, 0, 2 * kChunk + 1, kChunk},
      {"many times around", 3, 1, 10 * kChunk + 7, 8 * kChunk},
      {"no limit is one chunk", 0, 0, kChunk + 1, kChunk},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    int64_t handed_over = 0;
    EventRing ring(c.limit_chunks * EventRing::kChunkBytes,
                   c.ready_chunks * EventRing::kChunkBytes,
                   [&](const Event& event) { EXPECT_EQ(event.start_ns, handed_over++); });
    for (int64_t i = 0; i < c.events; ++i) ring.Append({.start_ns = i});
    EXPECT_EQ(handed_over, c.lost);
    EXPECT_EQ(ring.lost(), static_cast<size_t>(c.lost));
    EXPECT_EQ(ring.size(), static_cast<size_t>(c.events - c.lost));
    EXPECT_LE(ring.memory_bytes(),
              std::max<size_t>(1, c.limit_chunks) * EventRing::kChunkBytes);
    std::vector<int64_t> want;
    for (int64_t i = c.lost; i < c.events; ++i) want.push_back(i);
    EXPECT_EQ(Starts(ring), want);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
