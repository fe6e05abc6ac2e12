#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/ceilings.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::hardware {
namespace {

DeviceCeilings MeasuredCpu() {
  return {
      .device = "cpu: A CPU",
      .kind = DeviceKind::kCpu,
      .ceilings = {
          .arithmetic = Arithmetic::kFp32,
          .compute_flops_per_s = 1.23456789012345e11,
          .peak_flops_source = {CeilingSource::Kind::kMeasured, "measured: avx2", 1.6},
          .memory_bytes_per_s = std::nullopt,
          .peak_bandwidth_source = {CeilingSource::Kind::kUnknown, "not measured"}}};
}

TEST(Ceilings, ReadBackWhatWasWritten) {
  const std::string json = CeilingsJson(MeasuredCpu());
  const Result<DeviceCeilings> read = ParseCeilings(json, "ceilings.json");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value().device, "cpu: A CPU");
  EXPECT_EQ(read.value().kind, DeviceKind::kCpu);
  EXPECT_EQ(read.value().ceilings.compute_flops_per_s, 1.23456789012345e11);
  EXPECT_EQ(read.value().ceilings.peak_flops_source.kind, CeilingSource::Kind::kMeasured);
  EXPECT_EQ(read.value().ceilings.peak_flops_source.rounds_ratio, 1.6);
  EXPECT_EQ(read.value().ceilings.peak_bandwidth_source.rounds_ratio, std::nullopt);
  EXPECT_EQ(read.value().ceilings.memory_bytes_per_s, std::nullopt);
  EXPECT_EQ(read.value().ceilings.peak_bandwidth_source.text, "not measured");
  EXPECT_EQ(CeilingsJson(read.value()), json);
}

TEST(Ceilings, RejectOtherFiles) {
  const std::string good = CeilingsJson(MeasuredCpu());
  const auto with = [&good](std::string_view old_text, std::string_view new_text) {
    std::string changed = good;
    const size_t at = changed.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    return changed.replace(at, old_text.size(), new_text);
  };
  const struct {
    std::string text;
    ErrorCode code;
  } cases[] = {
      {"", ErrorCode::kParse},
      {"[]", ErrorCode::kParse},
      {"{}", ErrorCode::kParse},
      {good.substr(0, good.size() / 2), ErrorCode::kParse},
      {with("\"schema_version\": 1", "\"schema_version\": 2"), ErrorCode::kUnsupported},
      {with("\"device_kind\": \"cpu\"", "\"device_kind\": \"tpu\""), ErrorCode::kParse},
      {with("\"fp32\"", "\"fp31\""), ErrorCode::kParse},
      {with("\"measured\"", "\"guessed\""), ErrorCode::kParse},
      {with("123456789012.345", "-1"), ErrorCode::kParse},
      {with("123456789012.345", "\"fast\""), ErrorCode::kParse},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Result<DeviceCeilings> read = ParseCeilings(c.text, "ceilings.json");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code(), c.code);
    EXPECT_THAT(read.error().message(), testing::StartsWith("ceilings.json: "));
  }
}

TEST(Ceilings, AreMeasuredOncePerRun) {
  const os::ScratchDirectory scratch =
      os::ScratchDirectory::Make("ridgeline-ceilings").value();
  double flops_per_s = 1e11;
  const CeilingSources sources = {
      .survey = [] { return GpuSurvey{}; },
      .measure = [&]() -> Result<MeasuredPeaks> {
        flops_per_s += 1e10;  // No two measurements are identical.
        const Rate rate = {.best_per_s = flops_per_s, .rounds = 3};
        return MeasuredPeaks{.instructions = "avx2",
                             .threads = 2,
                             .exceeds_cache = true,
                             .fma_flops = rate,
                             .read_bytes = rate,
                             .copy_bytes = rate,
                             .triad_bytes = rate};
      },
      .measured_gpu = std::nullopt,
      .cpu_name = "A CPU",
      .peak_tflops_variable = {}};
  DeviceRequest options;
  options.device = "cpu";
  const auto file = scratch.path() / "ceilings.json";
  const DeviceCeilings first = CeilingsOfRun(file, options, sources).value();
  const DeviceCeilings second = CeilingsOfRun(file, options, sources).value();
  EXPECT_EQ(first.ceilings.compute_flops_per_s, second.ceilings.compute_flops_per_s);
  EXPECT_EQ(first.ceilings.compute_flops_per_s, 1.1e11);
}

}  // namespace
}  // namespace ridgeline::hardware
