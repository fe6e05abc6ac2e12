#include "results/packed_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "results/nsys_rows.h"

namespace ridgeline::results {
namespace {

using testing::ElementsAre;

struct Pair {
  int64_t key = 0;
  int64_t value = 0;

  using Fields = std::array<int64_t, 2>;
  Fields Pack() const { return {key, value}; }
  static Pair Unpack(const Fields& fields) { return {fields[0], fields[1]}; }
  bool operator==(const Pair&) const = default;
};
struct KeyIsBefore {
  bool operator()(const Pair& a, const Pair& b) const { return a.key < b.key; }
};
using Pairs = PackedRows<Pair, KeyIsBefore>;

Pairs Packed(const std::vector<Pair>& rows) {
  RowSorter<Pair, KeyIsBefore> sorter;
  for (const Pair& row : rows) sorter.Add(row);
  return std::move(sorter).Finish();
}

std::vector<Pair> Unpacked(const Pairs& rows) {
  std::vector<Pair> all;
  for (const Pair& row : rows) all.push_back(row);
  return all;
}

TEST(PackedRowsTest, GivesBackWhatItWasGiven) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::vector<Pair> rows = {{kMin, kMax}, {-1, kMin}, {0, 0},
                                  {1, -1},      {64, 63},   {kMax, -64}};
  EXPECT_EQ(Unpacked(Packed(rows)), rows);
  EXPECT_EQ(Packed(rows).size(), 6U);
  EXPECT_TRUE(Packed({}).empty());
  EXPECT_THAT(Unpacked(Packed({})), ElementsAre());
}

// More rows than are sorted at a time, in orders that occur in files.
TEST(PackedRowsTest, SortsAsAStableSortDoes) {
  struct Case {
    const char* what;
    int64_t step;    // Between consecutive keys.
    int64_t jitter;  // Random deviation.
  };
  const Case cases[] = {
      {"in order", 3, 0},
      {"nearly in order", 3, 1000},
      {"backwards", -3, 0},
      {"any order, with equal keys", 0, 5000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    std::mt19937 dice(1);
    std::vector<Pair> rows;
    for (int64_t i = 0; i < 200'000; ++i) {
      const int64_t off = c.jitter == 0 ? 0 : static_cast<int64_t>(dice()) % c.jitter;
      rows.push_back({i * c.step + off, i});
    }
    Pairs packed = Packed(rows);
    std::stable_sort(rows.begin(), rows.end(), KeyIsBefore());
    EXPECT_EQ(Unpacked(packed), rows);
    EXPECT_EQ(Unpacked(packed), rows) << "a second time";
    std::vector<Pair> drained;
    for (auto row = packed.Drain(); row != packed.end(); ++row) drained.push_back(*row);
    EXPECT_EQ(drained, rows);
  }
}

TEST(PackedRowsTest, KeepsEveryFieldOfAnOp) {
  NsysGpuOp op;
  op.start_ns = -5;
  op.duration_ns = int64_t{1} << 60;
  op.correlation = kNoCorrelation;
  op.call_start_ns = -6;
  op.call_duration_ns = 7;
  op.thread = kNone;
  op.detail = kNone;
  op.track = kMaxTrack;
  op.kind = GpuActivityKind::kGraph;
  NsysGpuOpSorter sorter;
  sorter.Add(op);
  const NsysGpuOps ops = std::move(sorter).Finish();
  const NsysGpuOp got = *ops.begin();
  EXPECT_EQ(got.Pack(), op.Pack());
  EXPECT_EQ(got.start_ns, -5);
  EXPECT_EQ(got.correlation, kNoCorrelation);
  EXPECT_EQ(got.detail, kNone);
  EXPECT_EQ(got.track, kMaxTrack);
  EXPECT_EQ(got.kind, GpuActivityKind::kGraph);
  EXPECT_FALSE(got.has_call());
}

}  // namespace
}  // namespace ridgeline::results
