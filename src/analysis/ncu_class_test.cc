#include <gtest/gtest.h>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

NcuKernel Kernel(double sm, double memory, double dram) {
  return {.sm_percent = sm, .memory_percent = memory, .dram_percent = dram};
}

// With so many FLOPs on tensor cores for each of 1000 bytes.
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
    NcuClass want;
  };
  const Case cases[] = {
      {"near to the roof of arithmetic", 80.3, 9.4, NcuClass::kCompute},
      {"near to that of memory", 9.6, 85.9, NcuClass::kMemory},
      {"a cache is as good as DRAM", 12.1, 94.0, NcuClass::kMemory},
      {"near to both", 78, 85, NcuClass::kBalanced},
      {"near to neither", 46.8, 41.7, NcuClass::kLatency},
      {"near to neither, though far apart", 2, 59.9, NcuClass::kLatency},
      {"exactly at the threshold", 2, 60, NcuClass::kMemory},
      {"exactly as far apart as needed", 70, 60, NcuClass::kCompute},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ClassOf(Kernel(c.sm, c.memory, 0), ClassRule::kRidgeline, {}), c.want);
  }
}

TEST(NcuClassTest, ThroughputGapComparesSmAndDramOnly) {
  const auto of = [](double sm, double dram) {
    return ClassOf(Kernel(sm, 99, dram), ClassRule::kThroughputGap, {});
  };
  EXPECT_EQ(of(41.49, 8.13), NcuClass::kCompute);
  EXPECT_EQ(of(9.15, 19.66), NcuClass::kMemory);
  EXPECT_EQ(of(12.07, 10.29), NcuClass::kBalanced);
  EXPECT_EQ(of(15, 10), NcuClass::kBalanced);
  EXPECT_EQ(of(10, 15), NcuClass::kBalanced);
}

TEST(NcuClassTest, RidgeWantsIntensityAndThroughputOnOneSide) {
  const ClassThresholds thresholds = {.ridge_flops_per_byte = 100};
  struct Case {
    const char* what;
    NcuKernel kernel;
    NcuClass want;
  };
  const Case cases[] = {
      {"above it, SM ahead", KernelOf(32.5, 25.8, 717), NcuClass::kCompute},
      {"above it, memory ahead", KernelOf(41.5, 61.8, 380), NcuClass::kBalanced},
      {"above it, SM hardly ahead", KernelOf(32.1, 27.7, 716), NcuClass::kBalanced},
      {"below it, memory ahead", KernelOf(8.8, 26, 71), NcuClass::kMemory},
      {"below it, SM ahead", KernelOf(38.8, 13.6, 0), NcuClass::kBalanced},
      {"both low", KernelOf(9.2, 19.7, 1), NcuClass::kBalanced},
      {"exactly on it", KernelOf(50, 25, 100), NcuClass::kCompute},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ClassOf(c.kernel, ClassRule::kRidge, thresholds), c.want);
  }
  EXPECT_EQ(ClassOf(KernelOf(50, 25, 717), ClassRule::kRidge, {}), NcuClass::kUnknown);
}

TEST(NcuClassTest, ThereIsNoClassWithoutTheNumbersItNeeds) {
  for (const ClassRule rule :
       {ClassRule::kRidgeline, ClassRule::kThroughputGap, ClassRule::kRidge}) {
    SCOPED_TRACE(NameOf(rule));
    EXPECT_EQ(ClassOf({.sm_percent = 50}, rule, {.ridge_flops_per_byte = 1}),
              NcuClass::kUnknown);
    EXPECT_EQ(ClassRuleOf(NameOf(rule)), rule);
  }
  EXPECT_EQ(ClassRuleOf("roofline"), std::nullopt);
}

TEST(NcuClassTest, ThresholdsAreTheCallers) {
  const NcuKernel kernel = Kernel(50, 30, 42);
  EXPECT_EQ(ClassOf(kernel, ClassRule::kRidgeline, {.near_roof_percent = 40}),
            NcuClass::kCompute);
  EXPECT_EQ(ClassOf(kernel, ClassRule::kRidgeline,
                    {.near_roof_percent = 40, .balance_points = 25}),
            NcuClass::kBalanced);
  EXPECT_EQ(ClassOf(kernel, ClassRule::kThroughputGap, {.gap_points = 10}),
            NcuClass::kBalanced);
}

}  // namespace
}  // namespace ridgeline::analysis
