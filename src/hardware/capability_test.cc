#include <gtest/gtest.h>

#include "hardware/gpu.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {
namespace {

TEST(CapabilityTest, CountsMultiprocessorsByTheirCores) {
  struct Case {
    const char* what;
    Capability capability;
    unsigned cores;
    std::optional<int> want;
  };
  const Case cases[] = {
      {"V100", {7, 0}, 5120, 80},
      {"T4", {7, 5}, 2560, 40},
      {"A100", {8, 0}, 6912, 108},
      {"RTX 3090", {8, 6}, 10496, 82},
      {"Jetson AGX Orin", {8, 7}, 2048, 16},
      {"H100 SXM", {9, 0}, 16896, 132},
      {"RTX 5090", {12, 0}, 21760, 170},
      {"a generation to come", {99, 0}, 6912, std::nullopt},
      {"no cores", {8, 0}, 0, std::nullopt},
      {"not a multiple", {8, 0}, 6913, std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(SmCountOf(c.capability, c.cores), c.want);
  }
}

// A core does one float multiply-add per clock.
TEST(CapabilityTest, CoresAreHalfOfTheRateOfTheTable) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    SCOPED_TRACE(ceiling.name);
    const Chip& chip = *ceiling.chip;
    ASSERT_TRUE(CoresPerSm(chip.capability));
    const std::optional<double> rate = chip.flop_per_clock_per_sm.fp32;
    if (rate) {
      EXPECT_EQ(*CoresPerSm(chip.capability) * 2, *rate);
    }
  }
}

TEST(CapabilityTest, IsWrittenAsCudaDoes) { EXPECT_EQ(ToText({12, 0}), "12.0"); }

}  // namespace
}  // namespace ridgeline::hardware
