#include "inference/device_peaks.h"

#include <gtest/gtest.h>

namespace ridgeline::inference {
namespace {

using hardware::GpuPeaks;
using hardware::GpuRate;

// The same code as on a GPU, with sizes that are fast on a CPU.
TEST(MeasureDevice, TimesProductsAndACopy) {
  const GpuPeaks rates = MeasureDevice(
      at::kCPU,
      {.sides = {16, 64}, .copy_bytes = 1 << 20, .rounds = 3, .round_s = 0.0005});
  EXPECT_EQ(rates.device, "cpu");
  ASSERT_FALSE(rates.products.empty());
  const GpuRate& fp32 = rates.products.back();
  EXPECT_EQ(fp32.name, "fp32");
  EXPECT_GT(fp32.best_per_s, 1e6);
  EXPECT_GE(fp32.best_per_s, fp32.worst_per_s);
  EXPECT_GT(fp32.worst_per_s, 0);
  EXPECT_TRUE(fp32.what.starts_with("GEMM ")) << fp32.what;
  EXPECT_TRUE(fp32.what.ends_with(", best of 3 rounds")) << fp32.what;
  ASSERT_TRUE(rates.copy);
  EXPECT_GT(rates.copy->best_per_s, 1e6);
  EXPECT_EQ(rates.copy->what, "device copy of 1048576 bytes, best of 3 rounds");
}

TEST(MeasureDevice, LeavesOutWhatCannotBeDone) {
  const GpuPeaks rates = MeasureDevice(
      at::kCPU, {.sides = {-1}, .copy_bytes = -1, .rounds = 1, .round_s = 0.0005});
  EXPECT_TRUE(rates.products.empty());
  EXPECT_FALSE(rates.copy);
  EXPECT_EQ(rates.left_out.size(), 4U);
}

}  // namespace
}  // namespace ridgeline::inference
