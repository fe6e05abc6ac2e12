#include <gtest/gtest.h>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

NcuKernel Kernel(double sm, double memory, double dram) {
  return {.sm_percent = sm, .memory_percent = memory, .dram_percent = dram};
}

// With that many tensor-core FLOPs per byte, for 1000 bytes.
NcuKernel KernelOf(double sm, double memory, double flops_per_byte) {
  NcuKernel kernel = Kernel(sm, memory, memory);
  kernel.dram_bytes = 1000;
  kernel.flops[NcuPrecision::kTensor] = 1000 * flops_per_byte;
  return kernel;
}

TEST(NcuClassTest, OursSaysThatARoofLimitsOnlyWhoComesNearIt) {
  struct Case {
    const char* what;
    double sm;
    double memory;
    Bottleneck want;
  };
  const Case cases[] = {
      {"near to the ceiling of arithmetic", 80.3, 9.4, Bottleneck::kCompute},
      {"near to that of memory", 9.6, 85.9, Bottleneck::kMemory},
      {"a cache is as good as DRAM", 12.1, 94.0, Bottleneck::kMemory},
      {"near to both", 78, 85, Bottleneck::kBalanced},
      {"near to neither", 46.8, 41.7, Bottleneck::kLatency},
      {"near to neither, though far apart", 2, 59.9, Bottleneck::kLatency},
      {"exactly at the threshold", 2, 60, Bottleneck::kMemory},
      {"exactly as far apart as needed", 70, 60, Bottleneck::kCompute},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ClassOf(Kernel(c.sm, c.memory, 0), BottleneckRule::kRidgeline, {}), c.want);
  }
}

TEST(NcuClassTest, ThroughputGapComparesSmAndDramOnly) {
  const auto of = [](double sm, double dram) {
    return ClassOf(Kernel(sm, 99, dram), BottleneckRule::kThroughputGap, {});
  };
  EXPECT_EQ(of(41.49, 8.13), Bottleneck::kCompute);
  EXPECT_EQ(of(9.15, 19.66), Bottleneck::kMemory);
  EXPECT_EQ(of(12.07, 10.29), Bottleneck::kBalanced);
  EXPECT_EQ(of(15, 10), Bottleneck::kBalanced);
  EXPECT_EQ(of(10, 15), Bottleneck::kBalanced);
}

TEST(NcuClassTest, RidgeWantsIntensityAndThroughputOnOneSide) {
  const ClassThresholds thresholds = {.ridge_flops_per_byte = 100};
  struct Case {
    const char* what;
    NcuKernel kernel;
    Bottleneck want;
  };
  const Case cases[] = {
      {"above it, SM ahead", KernelOf(32.5, 25.8, 717), Bottleneck::kCompute},
      {"above it, memory ahead", KernelOf(41.5, 61.8, 380), Bottleneck::kBalanced},
      {"above it, SM hardly ahead", KernelOf(32.1, 27.7, 716), Bottleneck::kBalanced},
      {"below it, memory ahead", KernelOf(8.8, 26, 71), Bottleneck::kMemory},
      {"below it, SM ahead", KernelOf(38.8, 13.6, 0), Bottleneck::kBalanced},
      {"both low", KernelOf(9.2, 19.7, 1), Bottleneck::kBalanced},
      {"exactly on it", KernelOf(50, 25, 100), Bottleneck::kCompute},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ClassOf(c.kernel, BottleneckRule::kRidge, thresholds), c.want);
  }
  EXPECT_EQ(ClassOf(KernelOf(50, 25, 717), BottleneckRule::kRidge, {}),
            Bottleneck::kUnknown);
}

TEST(NcuClassTest, ThereIsNoClassWithoutTheNumbersItNeeds) {
  for (const BottleneckRule rule :
       {BottleneckRule::kRidgeline, BottleneckRule::kThroughputGap,
        BottleneckRule::kRidge}) {
    SCOPED_TRACE(NameOf(rule));
    EXPECT_EQ(ClassOf({.sm_percent = 50}, rule, {.ridge_flops_per_byte = 1}),
              Bottleneck::kUnknown);
    EXPECT_EQ(ClassRuleOf(NameOf(rule)), rule);
  }
  EXPECT_EQ(ClassRuleOf("roofline"), std::nullopt);
}

TEST(NcuClassTest, ThresholdsAreTheCallers) {
  const NcuKernel kernel = Kernel(50, 30, 42);
  EXPECT_EQ(ClassOf(kernel, BottleneckRule::kRidgeline, {.near_ceiling_percent = 40}),
            Bottleneck::kCompute);
  EXPECT_EQ(ClassOf(kernel, BottleneckRule::kRidgeline,
                    {.near_ceiling_percent = 40, .balance_points = 25}),
            Bottleneck::kBalanced);
  EXPECT_EQ(ClassOf(kernel, BottleneckRule::kThroughputGap, {.gap_points = 10}),
            Bottleneck::kBalanced);
}

}  // namespace
}  // namespace ridgeline::analysis
