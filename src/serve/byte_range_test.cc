#include <gtest/gtest.h>

#include <limits>

#include "serve/http_server.h"

namespace ridgeline::serve {
namespace {

TEST(ByteRangeTest, LiesWithinTheFile) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  struct Case {
    const char* what;
    ByteRange asked;
    int64_t size;
    std::optional<ByteRange> want;
  };
  const Case cases[] = {
      {"2-4", {2, 4}, 10, ByteRange{2, 4}},
      {"0-", {0, -1}, 10, ByteRange{0, 9}},
      {"9-", {9, -1}, 10, ByteRange{9, 9}},
      {"-3", {-1, 3}, 10, ByteRange{7, 9}},
      {"-30: all there is", {-1, 30}, 10, ByteRange{0, 9}},
      {"5-100: up to the end", {5, 100}, 10, ByteRange{5, 9}},
      {"0-most", {0, kMost}, 10, ByteRange{0, 9}},
      {"-most", {-1, kMost}, 10, ByteRange{0, 9}},
      {"10-", {10, -1}, 10, std::nullopt},
      {"20-30", {20, 30}, 10, std::nullopt},
      {"4-2", {4, 2}, 10, std::nullopt},
      {"-0", {-1, 0}, 10, std::nullopt},
      {"nothing said", {-1, -1}, 10, std::nullopt},
      {"of an empty file", {0, -1}, 0, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(RangeWithin(c.asked, c.size), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::serve
