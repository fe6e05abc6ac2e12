#include <gtest/gtest.h>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

NcuCeilings Roofs() {
  NcuCeilings ceilings;
  ceilings.flops_per_s[NcuPrecision::kTensor] = 200e12;
  ceilings.flops_per_s[NcuPrecision::kFp32] = 100e12;
  ceilings.Of(MemoryLevel::kDram) = 2e12;
  return ceilings;
}

NcuKernel Gemm() {
  NcuKernel kernel = {.duration_ns = 1000, .dram_bytes = 1e6, .l2_bytes = 4e6};
  kernel.flops[NcuPrecision::kTensor] = 50e6;
  kernel.flops[NcuPrecision::kFp64] = 0;
  return kernel;
}

TEST(NcuRooflineTest, HasAPointForEachPrecisionAndLevelThatWasMeasured) {
  const std::vector<NcuPoint> points = PointsOf(Gemm(), Roofs());
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].precision, NcuPrecision::kTensor);
  EXPECT_EQ(points[0].level, MemoryLevel::kDram);
  EXPECT_DOUBLE_EQ(points[0].flops_per_byte, 50);
  EXPECT_DOUBLE_EQ(points[0].flops_per_s, 50e12);
  EXPECT_DOUBLE_EQ(*points[0].share_of_peak, 0.25);
  // Below the ridge at 100 FLOP/byte, memory allows 50 x 2e12.
  EXPECT_DOUBLE_EQ(*points[0].share_of_ceiling, 0.5);
  EXPECT_EQ(points[1].level, MemoryLevel::kL2);
  EXPECT_DOUBLE_EQ(points[1].flops_per_byte, 12.5);
  EXPECT_EQ(points[1].share_of_ceiling, std::nullopt);
}

TEST(NcuRooflineTest, HasNoPointWithoutATimeOrBytes) {
  NcuKernel kernel = Gemm();
  kernel.duration_ns = 0;
  EXPECT_TRUE(PointsOf(kernel, Roofs()).empty());
  kernel = Gemm();
  kernel.dram_bytes = 0;
  kernel.l2_bytes.reset();
  EXPECT_TRUE(PointsOf(kernel, Roofs()).empty());
}

TEST(NcuRooflineTest, TakesTheHighestRoofOfAllLaunches) {
  std::vector<NcuKernel> kernels(2);
  kernels[0].dram_peak_bytes_per_s = 3e12;
  kernels[1].dram_peak_bytes_per_s = 1e12;
  kernels[0].peak_flops_per_s[NcuPrecision::kFp32] = 30e12;
  NcuCeilings ceilings;
  for (const NcuKernel& kernel : kernels) RaiseCeilings(kernel, ceilings);
  EXPECT_EQ(ceilings.Of(MemoryLevel::kDram), 3e12);
  EXPECT_EQ(RidgeOf(ceilings, NcuPrecision::kFp32, MemoryLevel::kDram), 10.0);
  EXPECT_EQ(RidgeOf(ceilings, NcuPrecision::kFp64, MemoryLevel::kDram), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::analysis
