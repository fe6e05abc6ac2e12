#include "hardware/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::hardware {
namespace {

using testing::HasSubstr;

struct FakeMachine {
  GpuSurvey survey{.outcome = GpuSurvey::Outcome::kNoDriver, .reason = "no driver"};
  int measured = 0;

  CeilingSources Sources() {
    return {.survey = [this] { return survey; },
            .measure = [this]() -> Result<MeasuredPeaks> {
              ++measured;
              const Rate flops = {.best_per_s = 1e11, .rounds = 3};
              const Rate bytes = {.best_per_s = 2e10, .rounds = 3};
              return MeasuredPeaks{.instructions = "avx2",
                                   .threads = 2,
                                   .exceeds_cache = true,
                                   .fma_flops = flops,
                                   .read_bytes = bytes,
                                   .copy_bytes = bytes,
                                   .triad_bytes = bytes};
            },
            .measured_gpu = std::nullopt,
            .cpu_name = "A CPU",
            .peak_tflops_variable = {}};
  }
  void AddGpu(const char* name, uint32_t pci_device_id) {
    survey = {.outcome = GpuSurvey::Outcome::kFound};
    survey.gpus.push_back({.index = 0, .name = name, .pci_device_id = pci_device_id});
  }
};

TEST(CeilingsHere, OfTheCpuAreMeasured) {
  FakeMachine machine;
  const DeviceCeilings ceilings =
      CeilingsHere({.dtype = "bf16", .device = "cpu"}, machine.Sources()).value();
  EXPECT_EQ(ceilings.device, "cpu: A CPU");
  EXPECT_EQ(ceilings.kind, DeviceKind::kCpu);
  EXPECT_EQ(ceilings.ceilings.arithmetic, Arithmetic::kFp32);
  EXPECT_EQ(ceilings.rates().flops_per_s, 1e11);
  EXPECT_EQ(ceilings.rates().bytes_per_s, 2e10);
  EXPECT_EQ(ceilings.ceilings.peak_flops_source.kind, CeilingSource::Kind::kMeasured);
}

TEST(CeilingsHere, WhatIsGivenIsNotMeasured) {
  FakeMachine machine;
  const DeviceRequest options = {.device = "cpu",
                                 .ceilings = {.peak_tflops = 2, .peak_gbps = 30}};
  const DeviceCeilings ceilings = CeilingsHere(options, machine.Sources()).value();
  EXPECT_EQ(machine.measured, 0);
  EXPECT_EQ(ceilings.rates().flops_per_s, 2e12);
  EXPECT_EQ(ceilings.rates().bytes_per_s, 30e9);
  EXPECT_EQ(ceilings.ceilings.peak_bandwidth_source.text, "hardware.peak_gbps");
}

TEST(CeilingsHere, TheVariableIsHeeded) {
  FakeMachine machine;
  CeilingSources sources = machine.Sources();
  sources.peak_tflops_variable = "71";
  const DeviceCeilings ceilings = CeilingsHere({.device = "cuda:0"}, sources).value();
  EXPECT_EQ(ceilings.rates().flops_per_s, 71e12);
  EXPECT_FALSE(ceilings.rates().bytes_per_s);
}

TEST(CeilingsHere, AnUnknownGpuHasNoNumberButAdvice) {
  FakeMachine machine;
  machine.AddGpu("NVIDIA Brand New 9000", 0xFFFF10DE);
  const DeviceCeilings ceilings =
      CeilingsHere({.device = "cuda:0"}, machine.Sources()).value();
  EXPECT_EQ(ceilings.device, "cuda:0: NVIDIA Brand New 9000");
  EXPECT_FALSE(ceilings.rates().flops_per_s || ceilings.rates().bytes_per_s);
  EXPECT_THAT(ceilings.ceilings.peak_flops_source.text,
              HasSubstr("hardware.peak_tflops"));
  EXPECT_THAT(ceilings.ceilings.peak_bandwidth_source.text,
              HasSubstr("hardware.peak_gbps"));
}

TEST(CeilingsHere, AGpuThatIsNotHereIsUnknown) {
  FakeMachine machine;
  const DeviceCeilings none =
      CeilingsHere({.device = "cuda:0"}, machine.Sources()).value();
  EXPECT_FALSE(none.rates().flops_per_s || none.rates().bytes_per_s);
  EXPECT_THAT(none.ceilings.peak_flops_source.text,
              HasSubstr("no GPU found (no driver)"));
  machine.AddGpu("NVIDIA A10", 0x223610DE);
  const DeviceCeilings other =
      CeilingsHere({.device = "cuda:7"}, machine.Sources()).value();
  EXPECT_FALSE(other.rates().flops_per_s);
  EXPECT_THAT(other.ceilings.peak_flops_source.text, HasSubstr("no such GPU: 7"));
}

TEST(CeilingsHere, AGpuOfTheTableIsKnown) {
  FakeMachine machine;
  machine.AddGpu("NVIDIA A10", 0x223610DE);
  const DeviceCeilings ceilings =
      CeilingsHere({.device = "auto"}, machine.Sources()).value();
  EXPECT_EQ(ceilings.kind, DeviceKind::kGpu);
  EXPECT_EQ(ceilings.ceilings.arithmetic, Arithmetic::kBf16);
  EXPECT_EQ(ceilings.rates().bytes_per_s, 600e9);
}

TEST(CeilingsHere, AutoWithoutAGpuIsTheCpu) {
  FakeMachine machine;
  EXPECT_EQ(CeilingsHere({.device = "auto"}, machine.Sources()).value().kind,
            DeviceKind::kCpu);
}

TEST(FindGpuSpec, ByNameOrAPartThatOnlyOneHas) {
  const auto find = [](const char* name) { return FindGpuSpec(name, GpuSpecs()); };
  EXPECT_EQ(find("a100 sxm4 80gb").value()->name, "A100 SXM4 80GB");
  EXPECT_EQ(find("5090").value()->name, "GeForce RTX 5090");
  EXPECT_EQ(find("GeForce RTX 2080").value()->name, "GeForce RTX 2080");  // Not SUPER.
  EXPECT_EQ(find("T4").value()->name, "T4");
  const auto several = find("a100");
  ASSERT_FALSE(several.ok());
  EXPECT_THAT(several.error().message(), HasSubstr("'a100' is ambiguous"));
  EXPECT_THAT(several.error().message(), HasSubstr("A100 PCIe 40GB"));
  ASSERT_FALSE(find("nothing").ok());
  EXPECT_THAT(find("nothing").error().message(), HasSubstr("docs/ceilings.md"));
  EXPECT_FALSE(find("").ok());
}

TEST(CeilingsOf, AnArithmeticThatTheChipLacksIsUnknown) {
  const GpuSpec& t4 = *FindGpuSpec("T4", GpuSpecs()).value();
  const DeviceCeilings bf16 = CeilingsOf(t4, {.dtype = "bf16"}).value();
  EXPECT_FALSE(bf16.rates().flops_per_s);
  EXPECT_THAT(bf16.ceilings.peak_flops_source.text, HasSubstr("has no bf16"));
  EXPECT_TRUE(CeilingsOf(t4, {.dtype = "fp16"}).value().rates().flops_per_s);
  EXPECT_FALSE(CeilingsOf(t4, {.dtype = "int3"}).ok());
}

TEST(CeilingsHere, AGpuThatTheTableDoesNotKnowMayHaveBeenMeasured) {
  FakeMachine machine;
  machine.AddGpu("NVIDIA Of Tomorrow", 0xFFFF10DE);
  CeilingSources sources = machine.Sources();
  sources.measured_gpu = MeasuredCeilings{
      .peaks = {{.arithmetic = Arithmetic::kBf16,
                 .flops_per_s = 3e14,
                 .text = "a product"}},
      .memory = MeasuredBandwidth{.bytes_per_s = 2e12, .text = "a copy"}};
  const DeviceCeilings ceilings =
      CeilingsHere({.dtype = "bf16", .device = "cuda:0"}, sources).value();
  EXPECT_EQ(ceilings.rates().flops_per_s, 3e14);
  EXPECT_EQ(ceilings.rates().bytes_per_s, 2e12);
  EXPECT_EQ(ceilings.ceilings.peak_flops_source.text, "measured: a product");
  EXPECT_EQ(machine.measured, 0);
}

}  // namespace
}  // namespace ridgeline::hardware
