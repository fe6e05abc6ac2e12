#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/intervals.h"

namespace ridgeline::analysis {
namespace {

TEST(IntervalUnionTest, MergesWhatOverlapsOrTouches) {
  struct Case {
    const char* what;
    std::vector<Interval> intervals;
    IntervalUnion want;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"apart", {{5, 6}, {1, 2}}, {{1, 2}, {5, 6}}},
      {"overlapping", {{1, 4}, {3, 6}}, {{1, 6}}},
      {"touching", {{1, 4}, {4, 6}}, {{1, 6}}},
      {"one inside the other", {{1, 9}, {3, 6}, {7, 8}}, {{1, 9}}},
      {"empty ones", {{1, 4}, {5, 5}, {6, 8}}, {{1, 4}, {6, 8}}},
      {"only empty ones", {{3, 3}}, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(UnionOf(c.intervals), c.want);
  }
}

TEST(IntervalUnionTest, MeasuresLengthAndOverlap) {
  const IntervalUnion a = {{0, 10}, {20, 30}};
  const IntervalUnion b = {{5, 22}, {25, 26}, {40, 50}};
  EXPECT_EQ(LengthOf(a), 20);
  EXPECT_EQ(OverlapOf(a, b), 5 + 2 + 1);
  EXPECT_EQ(OverlapOf(b, a), 8);
  EXPECT_EQ(OverlapOf(a, {}), 0);
}

}  // namespace
}  // namespace ridgeline::analysis
