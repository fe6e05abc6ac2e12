#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

std::vector<int64_t> Descending(int64_t count) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  std::iota(values.rbegin(), values.rend(), 1);
  return values;
}

TEST(QuantilesOf, InterpolatesAsNumpyDoes) {
  struct Case {
    std::vector<int64_t> durations_ns;
    results::InstanceQuantiles want;  // Min, median, p99, max.
  };
  const Case cases[] = {
      {{7}, {7, 7, 7, 7}},
      {{9, 1}, {1, 5, 8.92, 9}},
      {{5, 1, 3}, {1, 3, 4.96, 5}},
      {Descending(99), {1, 50, 98.02, 99}},
      {Descending(100), {1, 50.5, 99.01, 100}},
      {Descending(101), {1, 51, 100, 101}},
      {{-2, 4}, {-2, 1, 3.94, 4}},
  };
  for (Case c : cases) {
    SCOPED_TRACE(c.durations_ns.size());
    const auto got = QuantilesOf(c.durations_ns);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->min_ns, c.want.min_ns);
    EXPECT_DOUBLE_EQ(got->median_ns, c.want.median_ns);
    EXPECT_DOUBLE_EQ(got->p99_ns, c.want.p99_ns);
    EXPECT_EQ(got->max_ns, c.want.max_ns);
  }
  EXPECT_FALSE(QuantilesOf({}));
}

}  // namespace
}  // namespace ridgeline::analysis
