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

TEST(SpreadOf, HoldsDurationsThatOccurred) {
  struct Case {
    std::vector<int64_t> durations_ns;
    results::InstanceSpread want;  // Least, median, p99, longest.
  };
  const Case cases[] = {
      {{7}, {7, 7, 7, 7}},
      {{9, 1}, {1, 1, 9, 9}},
      {{5, 1, 3}, {1, 3, 5, 5}},
      {Descending(99), {1, 50, 99, 99}},
      {Descending(100), {1, 50, 99, 100}},
      {Descending(1000), {1, 500, 990, 1000}},
      {{-2, 4}, {-2, -2, 4, 4}},
  };
  for (Case c : cases) {
    SCOPED_TRACE(c.durations_ns.size());
    EXPECT_EQ(SpreadOf(c.durations_ns), c.want);
  }
  EXPECT_FALSE(SpreadOf({}));
}

}  // namespace
}  // namespace ridgeline::analysis
