#include "hardware/gpu_peaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::hardware {
namespace {

using testing::HasSubstr;

TEST(GpuPeaks, HasWhatWasMeasured) {
  const Result<GpuPeaks> parsed = ParseGpuPeaks(
      R"({"schema_version": 2, "device": "cuda:0", "reason": null,
          "arithmetic": [{"name": "bf16", "flops_per_s": 1.5e14, "what": "a product"},
                         {"name": "fp32", "flops_per_s": 20000000000000, "what": "b"}],
          "memory": {"bytes_per_s": 9e11, "what": "a copy"}})",
      "gpu_peaks.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  const MeasuredCeilings ceilings = CeilingsOf(parsed.value());
  ASSERT_NE(ceilings.PeakOf(Arithmetic::kBf16), nullptr);
  EXPECT_EQ(ceilings.PeakOf(Arithmetic::kBf16)->flops_per_s, 1.5e14);
  EXPECT_EQ(ceilings.PeakOf(Arithmetic::kBf16)->text, "a product");
  EXPECT_EQ(ceilings.PeakOf(Arithmetic::kFp32)->flops_per_s, 2e13);
  EXPECT_EQ(ceilings.PeakOf(Arithmetic::kFp16), nullptr);
  EXPECT_EQ(ceilings.memory->bytes_per_s, 9e11);
}

TEST(GpuPeaks, MayHoldNothing) {
  const Result<GpuPeaks> parsed = ParseGpuPeaks(
      R"({"schema_version": 2, "device": "cpu", "reason": "no CUDA device",
          "arithmetic": [], "memory": null})",
      "gpu_peaks.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed.value().reason, "no CUDA device");
  EXPECT_TRUE(CeilingsOf(parsed.value()).peaks.empty());
  EXPECT_FALSE(CeilingsOf(parsed.value()).memory);
}

TEST(GpuPeaks, ReadBackWhatWasWritten) {
  const GpuPeaks cases[] = {
      {.device = "cpu", .reason = "no CUDA device"},
      {.device = "cuda:0",
       .products = {{"bf16", 1.5e14, 1.4e14, "a product"}},
       .copy = GpuRate{"copy", 9.87654321e11, 8e11, "a copy"},
       .left_out = {"fp16, side 8192: out of memory"}},
  };
  for (const GpuPeaks& peaks : cases) {
    const Result<GpuPeaks> read = ParseGpuPeaks(ToJson(peaks), "gpu_peaks.json");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read.value(), peaks);
  }
}

TEST(GpuPeaks, RefusesWhatIsNotAMeasurement) {
  struct Case {
    const char* json;
    const char* want;
  };
  const Case cases[] = {
      {"", "not measured ceilings"},
      {R"({"schema_version": 3})", "not measured ceilings"},
      {R"({"schema_version": 1, "arithmetic": {}})", "expected a list"},
      {R"({"schema_version": 1, "arithmetic": [1]})", "got 1"},
      {R"({"schema_version": 1, "arithmetic": [{"name": "fp3", "flops_per_s": 1,
           "what": ""}]})",
       "unknown arithmetic: 'fp3'"},
      {R"({"schema_version": 1, "arithmetic": [{"name": "fp16", "flops_per_s": 0,
           "what": ""}]})",
       "expected {name"},
      {R"({"schema_version": 1, "memory": {"bytes_per_s": -1, "what": ""}})", "memory: "},
      {R"({"schema_version": 1, "memory": {"bytes_per_s": 1e999, "what": ""}})", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.json);
    const Result<GpuPeaks> parsed = ParseGpuPeaks(c.json, "m.json");
    ASSERT_FALSE(parsed.ok());
    EXPECT_THAT(parsed.error().message(), HasSubstr(c.want));
    EXPECT_TRUE(parsed.error().message().starts_with("m.json: "));
  }
}

}  // namespace
}  // namespace ridgeline::hardware
