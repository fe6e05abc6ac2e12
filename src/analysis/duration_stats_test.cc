#include <gtest/gtest.h>

#include <limits>

#include "analysis/intervals.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

TEST(DurationStatsTest, SumsUp) {
  const DurationStats odd = *StatsOf({5, -1, 2});
  EXPECT_EQ(odd.count, 3);
  EXPECT_EQ(odd.total_ns, 6);
  EXPECT_EQ(odd.mean_ns, 2);
  EXPECT_EQ(odd.median_ns, 2);
  EXPECT_EQ(odd.min_ns, -1);
  EXPECT_EQ(odd.max_ns, 5);
  EXPECT_EQ(StatsOf({4, 1, 2, 9})->median_ns, 3);
  EXPECT_EQ(StatsOf({1, 2})->median_ns, 1.5);
  EXPECT_FALSE(StatsOf({}));
}

TEST(SaturatingTest, StaysAtTheLargestNumber) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(SaturatingAdd(1, 2), 3);
  EXPECT_EQ(SaturatingAdd(kMost, 1), kMost);
  EXPECT_EQ(SaturatingAdd(kLeast, -1), kLeast);
  EXPECT_EQ(SaturatingAdd(kMost, kLeast), -1);
}

}  // namespace
}  // namespace ridgeline::analysis
