#include "report/sections/summary_lines.h"

#include <gtest/gtest.h>

namespace ridgeline::report {
namespace {

TEST(SummaryLinesTest, FewSamplesHaveARangeButNoInterval) {
  const std::array<double, 2> ci = {1.1, 1.3};
  const struct {
    MeanTime time;
    const char* want;
  } cases[] = {
      {{.samples = 6, .mean_s = 1.2, .min_s = 1, .max_s = 1.5, .ci95_s = ci},
       "1.20 s (95 % CI 1.10 s to 1.30 s, n=6)"},
      {{.samples = 5, .mean_s = 1.2, .min_s = 1, .max_s = 1.5, .ci95_s = ci},
       "1.20 s (95 % CI 1.10 s to 1.30 s, n=5)"},
      {{.samples = 4, .mean_s = 1.2, .min_s = 1, .max_s = 1.5, .ci95_s = ci},
       "1.20 s (n=4, 1.00 s to 1.50 s)"},
      {{.samples = 2, .mean_s = 1.2, .min_s = 1, .max_s = 1.5, .ci95_s = {}},
       "1.20 s (n=2, 1.00 s to 1.50 s)"},
      {{.samples = 1, .mean_s = 1.2, .min_s = 1.2, .max_s = 1.2, .ci95_s = {}},
       "1.20 s (n=1)"},
  };
  for (const auto& c : cases) EXPECT_EQ(MeanText(c.time), c.want);
}

TEST(SummaryLinesTest, APhaseIsBoundByItsRooflineOnlyNearIt) {
  using enum cost::BoundClass;
  const struct {
    PhaseLimit limit;
    const char* want;
  } cases[] = {
      {{"vision", 2795, kCompute, 0.00036},
       "vision: overhead-bound, 2795x roofline time (compute roofline)"},
      {{"decode", 20, kMemory, 0.05},
       "decode: overhead-bound, 20.0x roofline time (memory roofline)"},
      {{"decode", 8.2, kMemory, 0.12}, "decode: memory-bound, 8.20x roofline time"},
      {{"vision", 2, kCompute, 0.5}, "vision: compute-bound, 2.00x roofline time"},
      {{"vision", 2, kCompute, {}}, "vision: compute-bound, 2.00x roofline time"},
  };
  for (const auto& c : cases) EXPECT_EQ(LimitText(c.limit), c.want);
}

}  // namespace
}  // namespace ridgeline::report
