#include "hardware/choose_ceilings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridgeline::hardware {
namespace {

using Kind = CeilingSource::Kind;

std::optional<DeviceMatch> Rtx3090() {
  return MatchDevice({.pci_device_id = 0x220410DE});
}
std::optional<DeviceMatch> Stranger() {
  return MatchDevice({.pci_device_id = 0xFFFF10DE});
}

MeasuredPeaks PeaksOfCpu() {
  return {.instructions = "avx2",
          .threads = 2,
          .buffer_bytes = 1 << 28,
          .exceeds_cache = true,
          .fma_flops = {.best_per_s = 80e9, .worst_per_s = 70e9, .rounds = 12},
          .read_bytes = {.best_per_s = 20e9, .worst_per_s = 19e9, .rounds = 9},
          .copy_bytes = {.best_per_s = 22e9, .worst_per_s = 19e9, .rounds = 8},
          .triad_bytes = {.best_per_s = 21e9, .worst_per_s = 19e9, .rounds = 7}};
}

MeasuredCeilings Measured() { return CeilingsOf(PeaksOfCpu()); }

Ceilings Chosen(const Result<Ceilings>& ceilings) {
  EXPECT_TRUE(ceilings.ok()) << ceilings.error().message();
  return ceilings.ok() ? ceilings.value() : Ceilings{};
}

TEST(RoofsTest, TheTableSaysWhereItsNumbersComeFrom) {
  const Ceilings ceilings =
      Chosen(ChooseCeilings({}, {}, Rtx3090(), {}, Arithmetic::kBf16));
  EXPECT_NEAR(ceilings.compute_flops_per_s.value_or(0), 71.2e12, 0.1e12);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kTable);
  EXPECT_EQ(ceilings.peak_flops_source.text,
            "GeForce RTX 3090: NVIDIA Ampere GA102 whitepaper, appendix A, 2020");
  EXPECT_EQ(ceilings.memory_bytes_per_s, 936e9);
  EXPECT_EQ(ceilings.peak_bandwidth_source.kind, Kind::kTable);
  EXPECT_EQ(ceilings.arithmetic, Arithmetic::kBf16);
}

TEST(RoofsTest, TheKeyWinsOverTheVariableAndThatOverTheTable) {
  const CeilingOverrides both = {.peak_tflops = 100, .peak_gbps = 900};
  Ceilings ceilings =
      Chosen(ChooseCeilings(both, "80", Rtx3090(), {}, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, 100e12);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kConfig);
  EXPECT_EQ(ceilings.peak_flops_source.text, "hardware.peak_tflops");
  EXPECT_EQ(ceilings.memory_bytes_per_s, 900e9);
  EXPECT_EQ(ceilings.peak_bandwidth_source.text, "hardware.peak_gbps");

  ceilings = Chosen(ChooseCeilings({}, " 80.5\n", Rtx3090(), {}, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, 80.5e12);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kEnvironment);
  EXPECT_EQ(ceilings.peak_flops_source.text, "MFU_PEAK_TFLOPS");
  EXPECT_EQ(ceilings.peak_bandwidth_source.kind, Kind::kTable)
      << "the variable is of arithmetic";

  ceilings = Chosen(ChooseCeilings({}, "", Rtx3090(), {}, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kTable) << "empty is not set";
}

TEST(RoofsTest, AStrangerHasNoRoofUnlessItIsGiven) {
  Ceilings ceilings = Chosen(ChooseCeilings({}, {}, Stranger(), {}, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, std::nullopt);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kUnknown);
  EXPECT_NE(ceilings.peak_flops_source.text.find("MFU_PEAK_TFLOPS"), std::string::npos);
  EXPECT_EQ(ceilings.memory_bytes_per_s, std::nullopt);

  ceilings = Chosen(ChooseCeilings({}, "12", Stranger(), {}, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, 12e12);
  EXPECT_EQ(ceilings.memory_bytes_per_s, std::nullopt);

  ceilings = Chosen(ChooseCeilings({}, {}, {}, {}, Arithmetic::kFp32));
  EXPECT_EQ(ceilings.compute_flops_per_s, std::nullopt);
  EXPECT_EQ(ceilings.peak_flops_source.text,
            "not measured; set it with hardware.peak_tflops");
}

TEST(RoofsTest, ANumberThatNoDocumentPrintsSaysHowItWasMade) {
  const auto origin = [](uint32_t pci_device_id) {
    return Chosen(ChooseCeilings({}, {}, MatchDevice({.pci_device_id = pci_device_id}),
                                 {}, Arithmetic::kBf16))
        .peak_flops_source.text;
  };
  EXPECT_EQ(origin(0x278610DE),
            "GeForce RTX 4070: GeForce RTX 4070 product page, 2023; SMs x FLOP/clock/SM "
            "x boost clock");
  EXPECT_EQ(origin(0x290110DE),
            "B200 180GB: NVIDIA Blackwell datasheet, column HGX B200, one GPU, 2024; "
            "half of the peak with sparsity");
}

TEST(RoofsTest, AKnownGpuMayLackAType) {
  const Ceilings ceilings =
      Chosen(ChooseCeilings({}, {}, Rtx3090(), {}, Arithmetic::kFp8));
  EXPECT_EQ(ceilings.compute_flops_per_s, std::nullopt);
  EXPECT_EQ(ceilings.peak_flops_source.text,
            "Ampere (GA10x, GeForce) has no fp8; set it with hardware.peak_tflops");
  EXPECT_EQ(ceilings.memory_bytes_per_s, 936e9);
}

TEST(RoofsTest, TheCpuHasWhatWasMeasured) {
  Ceilings ceilings = Chosen(ChooseCeilings({}, {}, {}, Measured(), Arithmetic::kFp32));
  EXPECT_EQ(ceilings.compute_flops_per_s, 80e9);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kMeasured);
  EXPECT_EQ(ceilings.peak_flops_source.text,
            "measured: avx2, 2 threads, best of 12 rounds");
  EXPECT_EQ(ceilings.memory_bytes_per_s, 22e9);
  EXPECT_EQ(ceilings.peak_bandwidth_source.text,
            "measured: copy, 2 threads, best of 8 rounds");
  EXPECT_EQ(ceilings.peak_bandwidth_source.rounds_ratio, 22e9 / 19e9);

  ceilings = Chosen(ChooseCeilings({}, {}, {}, Measured(), Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, std::nullopt);
  EXPECT_EQ(ceilings.memory_bytes_per_s, 22e9);

  EXPECT_EQ(
      ceilings.peak_flops_source.text,
      "only fp32 is measured on the CPU, not bf16; set it with hardware.peak_tflops");

  MeasuredPeaks busy = PeaksOfCpu();
  busy.fma_flops.worst_per_s = 25e9;
  EXPECT_EQ(CeilingsOf(busy).PeakOf(Arithmetic::kFp32)->text,
            "avx2, 2 threads, best of 12 rounds; the slowest was 3.2x slower, so other "
            "programs were running and the peak may be too low");

  MeasuredPeaks in_cache = PeaksOfCpu();
  in_cache.exceeds_cache = false;
  ceilings = Chosen(ChooseCeilings({}, {}, {}, CeilingsOf(in_cache), Arithmetic::kFp32));
  EXPECT_EQ(ceilings.memory_bytes_per_s, std::nullopt);
}

TEST(RoofsTest, AGpuIsMeasuredOnlyWhereTheTableDoesNotKnowIt) {
  const MeasuredCeilings gpu = {
      .peaks = {{.arithmetic = Arithmetic::kBf16,
                 .flops_per_s = 50e12,
                 .text = "GEMM 8192 x 8192, best of 5 rounds"}},
      .memory = MeasuredBandwidth{.bytes_per_s = 400e9, .text = "copy"}};
  Ceilings ceilings = Chosen(ChooseCeilings({}, {}, Rtx3090(), gpu, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kTable);
  EXPECT_EQ(ceilings.memory_bytes_per_s, 936e9);

  ceilings = Chosen(ChooseCeilings({}, {}, Stranger(), gpu, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, 50e12);
  EXPECT_EQ(ceilings.peak_flops_source.kind, Kind::kMeasured);
  EXPECT_EQ(ceilings.peak_flops_source.text,
            "measured: GEMM 8192 x 8192, best of 5 rounds");
  EXPECT_EQ(ceilings.memory_bytes_per_s, 400e9);

  ceilings = Chosen(ChooseCeilings({}, "12", Stranger(), gpu, Arithmetic::kBf16));
  EXPECT_EQ(ceilings.compute_flops_per_s, 12e12);

  ceilings = Chosen(ChooseCeilings({}, {}, Stranger(), gpu, Arithmetic::kFp16));
  EXPECT_EQ(ceilings.compute_flops_per_s, std::nullopt);
  EXPECT_NE(ceilings.peak_flops_source.text.find("is not in the GPU table"),
            std::string::npos);
}

TEST(RoofsTest, RefusesWhatIsNoNumberAboveZeroAndNamesTheKey) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Case {
    const char* what;
    CeilingOverrides overrides;
    const char* variable;
    const char* want;
  };
  const Case cases[] = {
      {"zero", {.peak_tflops = 0}, "", "hardware.peak_tflops: '0"},
      {"below zero", {.peak_gbps = -1}, "", "hardware.peak_gbps: '-1"},
      {"endless", {.peak_tflops = kInfinity}, "", "hardware.peak_tflops: 'inf'"},
      {"endless once scaled", {.peak_tflops = 1e300}, "", "hardware.peak_tflops: '1"},
      {"not a number", {.peak_gbps = std::nan("")}, "", "hardware.peak_gbps: 'nan'"},
      {"a word", {}, "fast", "MFU_PEAK_TFLOPS: 'fast'"},
      {"a unit", {}, "312T", "MFU_PEAK_TFLOPS: '312T'"},
      {"zero in the variable", {}, "0", "MFU_PEAK_TFLOPS: '0"},
      {"nan in the variable", {}, "nan", "MFU_PEAK_TFLOPS: 'nan'"},
      {"too much for a number", {}, "1e999", "MFU_PEAK_TFLOPS: '1e999'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Ceilings> ceilings =
        ChooseCeilings(c.overrides, c.variable, Rtx3090(), {}, Arithmetic::kBf16);
    ASSERT_FALSE(ceilings.ok());
    EXPECT_EQ(ceilings.error().code(), ErrorCode::kConfig);
    EXPECT_TRUE(ceilings.error().message().starts_with(c.want))
        << ceilings.error().message();
    EXPECT_TRUE(ceilings.error().message().ends_with("is not a finite number above 0"));
  }
}

}  // namespace
}  // namespace ridgeline::hardware
