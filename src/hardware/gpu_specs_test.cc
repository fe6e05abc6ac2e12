#include "hardware/gpu_specs.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ridgeline::hardware {
namespace {

// Vendors round to two or three digits, and to another clock for the L40S.
constexpr double kRounding = 0.02;

const GpuSpec& Find(std::string_view name) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    if (ceiling.name == name) return ceiling;
  }
  ADD_FAILURE() << "no entry " << name;
  return GpuSpecs().front();
}

std::optional<double> Tflops(const GpuSpec& ceiling, Arithmetic arithmetic) {
  const std::variant<Peak, NoPeak> peak = PeakOf(ceiling, arithmetic);
  if (std::holds_alternative<NoPeak>(peak)) return std::nullopt;
  return std::get<Peak>(peak).flops_per_s / 1e12;
}

std::string Reason(std::string_view name, Arithmetic arithmetic) {
  const std::variant<Peak, NoPeak> peak = PeakOf(Find(name), arithmetic);
  return std::holds_alternative<NoPeak>(peak) ? std::get<NoPeak>(peak).reason : "";
}

TEST(CeilingsTest, EveryEntryIsWhole) {
  EXPECT_GE(GpuSpecs().size(), 45U);
  std::set<std::string_view> names;
  const std::regex with_year("(.*[^0-9])?20[12][0-9]([^0-9].*)?");
  for (const GpuSpec& ceiling : GpuSpecs()) {
    SCOPED_TRACE(ceiling.name);
    EXPECT_TRUE(names.insert(ceiling.name).second);
    EXPECT_FALSE(DriverNames(ceiling).empty());
    ASSERT_NE(ceiling.chip, nullptr);
    EXPECT_GE(ceiling.memory_bytes, 4LL << 30);
    EXPECT_TRUE(std::regex_match(std::string(ceiling.source), with_year))
        << ceiling.source;
    const bool tells_something = [&] {
      for (const Arithmetic arithmetic : kArithmetics) {
        if (Tflops(ceiling, arithmetic)) return true;
      }
      return false;
    }();
    EXPECT_TRUE(tells_something);
    EXPECT_FALSE(ceiling.tensor_clock_hz && !ceiling.clock_hz);
  }
}

TEST(CeilingsTest, DerivedPeaksAreThePublishedOnes) {
  int compared = 0;
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const Arithmetic arithmetic : kArithmetics) {
      SCOPED_TRACE(std::string(ceiling.name) + ", " + std::string(Name(arithmetic)));
      const std::optional<double> peak = Tflops(ceiling, arithmetic);
      if (const auto published = ceiling.published_tflops.Of(arithmetic)) {
        ASSERT_TRUE(peak);
        EXPECT_NEAR(*peak, *published, kRounding * *published);
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 250);
}

// Computed directly from the numbers of an entry, without PeakOf.
TEST(CeilingsTest, TensorPeaksAreMultiprocessorsTimesRateTimesBoostClock) {
  int compared = 0;
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const Arithmetic arithmetic :
         {Arithmetic::kTf32, Arithmetic::kBf16, Arithmetic::kFp16, Arithmetic::kFp8,
          Arithmetic::kInt8, Arithmetic::kFp4}) {
      const auto rate = ceiling.chip->flop_per_clock_per_sm.Of(arithmetic);
      const auto dense = ceiling.published_tflops.Of(arithmetic);
      const auto sparse = ceiling.published_sparse_tflops.Of(arithmetic);
      const auto clock_hz =
          ceiling.tensor_clock_hz ? ceiling.tensor_clock_hz : ceiling.clock_hz;
      if (!rate || !ceiling.sm_count || !clock_hz || (!dense && !sparse)) continue;
      SCOPED_TRACE(std::string(ceiling.name) + ", " + std::string(Name(arithmetic)));
      const double tflops = dense ? *dense : *sparse / 2;
      EXPECT_NEAR(*ceiling.sm_count * *rate * static_cast<double>(*clock_hz) / 1e12,
                  tflops, kRounding * tflops);
      ++compared;
    }
  }
  EXPECT_GE(compared, 130);
}

// A sparse number mistaken for a dense one would be off by 2x here.
TEST(CeilingsTest, SparsePeaksAreTwiceTheDenseOnes) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const Arithmetic arithmetic : kArithmetics) {
      SCOPED_TRACE(std::string(ceiling.name) + ", " + std::string(Name(arithmetic)));
      const auto published = ceiling.published_sparse_tflops.Of(arithmetic);
      if (!published) continue;
      const std::variant<Peak, NoPeak> peak = PeakOf(ceiling, arithmetic);
      ASSERT_TRUE(std::holds_alternative<Peak>(peak));
      EXPECT_EQ(std::get<Peak>(peak).sparse_factor, 2);
      EXPECT_NEAR(std::get<Peak>(peak).flops_per_s * 2 / 1e12, *published,
                  kRounding * *published);
    }
  }
}

TEST(CeilingsTest, OnlyTensorCoresFromAmpereOnAreSparse) {
  const auto factor = [](std::string_view name, Arithmetic arithmetic) {
    return std::get<Peak>(PeakOf(Find(name), arithmetic)).sparse_factor;
  };
  EXPECT_EQ(factor("T4", Arithmetic::kFp16), 1);
  EXPECT_EQ(factor("V100 SXM2 16GB", Arithmetic::kFp16), 1);
  EXPECT_EQ(factor("A100 SXM4 40GB", Arithmetic::kFp16), 2);
  EXPECT_EQ(factor("A100 SXM4 40GB", Arithmetic::kFp32), 1);
  EXPECT_EQ(factor("A100 SXM4 40GB", Arithmetic::kFp64Tensor), 1);
}

// Copied independently from the vendor's documents; for H800, H20 and B300 from the
// sources named in their entries, which are not vendor documents.
TEST(CeilingsTest, KnowsTheNumbersThatOthersGetWrong) {
  struct Case {
    std::string_view name;
    Arithmetic arithmetic;
    double tflops;
    double gbps;
  };
  const Case cases[] = {
      {"V100 SXM2 16GB", Arithmetic::kFp16, 125, 900},
      {"T4", Arithmetic::kFp16, 65, 320},
      {"GeForce RTX 2080 Ti", Arithmetic::kFp16, 53.8, 616},
      {"A100 SXM4 40GB", Arithmetic::kBf16, 312, 1555},
      {"A100 SXM4 80GB", Arithmetic::kTf32, 156, 2039},
      {"A100 PCIe 80GB", Arithmetic::kFp16, 312, 1935},
      {"A10", Arithmetic::kFp16, 125, 600},
      {"A10G", Arithmetic::kFp16, 70, 600},
      {"RTX A6000", Arithmetic::kFp16, 154.8, 768},
      {"GeForce RTX 3090", Arithmetic::kFp16, 71, 936},
      {"GeForce RTX 3090", Arithmetic::kFp16Fp16, 142, 936},
      {"L4", Arithmetic::kBf16, 121, 300},
      {"L40", Arithmetic::kBf16, 181, 864},
      {"L40S", Arithmetic::kFp8, 733, 864},
      {"GeForce RTX 4090", Arithmetic::kBf16, 165.2, 1008},
      {"GeForce RTX 4090", Arithmetic::kFp8, 330.3, 1008},
      {"H100 SXM5 80GB", Arithmetic::kBf16, 989.4, 3352},
      {"H100 SXM5 80GB", Arithmetic::kFp32, 66.9, 3352},
      {"H100 PCIe 80GB", Arithmetic::kBf16, 756, 2039},
      {"H100 NVL 94GB", Arithmetic::kBf16, 835.5, 3938},
      {"H800 SXM5 80GB", Arithmetic::kBf16, 989.4, 3352},
      {"H20 96GB", Arithmetic::kBf16, 148, 4000},
      {"B300 288GB", Arithmetic::kBf16, 2250, 8000},
      {"H200 SXM 141GB", Arithmetic::kFp8, 1979, 4800},
      {"B200 180GB", Arithmetic::kBf16, 2250, 7700},
      {"GB200 186GB", Arithmetic::kFp4, 10000, 8000},
      {"GeForce RTX 5090", Arithmetic::kBf16, 209.5, 1792},
      {"RTX PRO 6000 Blackwell Workstation", Arithmetic::kBf16, 503.8, 1792},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name) + ", " + std::string(Name(c.arithmetic)));
    EXPECT_NEAR(Tflops(Find(c.name), c.arithmetic).value_or(0), c.tflops,
                0.005 * c.tflops);
    EXPECT_EQ(Find(c.name).memory_bytes_per_s, c.gbps * 1e9);
  }
}

TEST(CeilingsTest, SaysWhyThereIsNoNumber) {
  EXPECT_EQ(Reason("T4", Arithmetic::kBf16), "Turing (TU10x, professional) has no bf16");
  EXPECT_EQ(Reason("V100 PCIe 16GB", Arithmetic::kInt8), "Volta (GV100) has no int8");
  EXPECT_EQ(Reason("H100 NVL 94GB", Arithmetic::kFp4), "Hopper (GH100) has no fp4");
  EXPECT_EQ(Reason("Jetson AGX Orin 64GB", Arithmetic::kFp16),
            "NVIDIA publishes no peak for fp16 of Jetson AGX Orin 64GB");
  EXPECT_EQ(Reason("RTX PRO 6000 Blackwell Server", Arithmetic::kBf16),
            "NVIDIA publishes no peak for bf16 of RTX PRO 6000 Blackwell Server");
}

TEST(CeilingsTest, CapabilityBelongsToTheArchitecture) {
  const std::map<std::string_view, std::set<Capability>> of = {
      {"Volta", {{7, 0}}},
      {"Turing", {{7, 5}}},
      {"Ampere", {{8, 0}, {8, 6}, {8, 7}}},
      {"Ada", {{8, 9}}},
      {"Hopper", {{9, 0}}},
      {"Blackwell", {{10, 0}, {10, 3}, {12, 0}, {12, 1}}},
  };
  Capability before;
  for (const GpuSpec& ceiling : GpuSpecs()) {
    SCOPED_TRACE(ceiling.name);
    const Chip& chip = *ceiling.chip;
    ASSERT_TRUE(of.contains(chip.architecture));
    EXPECT_TRUE(of.at(chip.architecture).contains(chip.capability));
    EXPECT_GE(chip.capability.major, before.major == 12 ? 10 : before.major);
    before = chip.capability;
  }
}

TEST(CeilingsTest, RatesAreOnlyOfWhatTheChipDoes) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const Arithmetic arithmetic : kArithmetics) {
      SCOPED_TRACE(std::string(ceiling.name) + ", " + std::string(Name(arithmetic)));
      const bool told = ceiling.chip->flop_per_clock_per_sm.Of(arithmetic) ||
                        ceiling.published_tflops.Of(arithmetic) ||
                        ceiling.published_sparse_tflops.Of(arithmetic);
      EXPECT_TRUE(!told || Supports(*ceiling.chip, arithmetic));
    }
  }
}

// Fewer bits are never slower.
TEST(CeilingsTest, PeaksGrowAsTypesShrink) {
  const std::pair<Arithmetic, Arithmetic> slower_faster[] = {
      {Arithmetic::kFp64, Arithmetic::kFp32},
      {Arithmetic::kFp32, Arithmetic::kFp16},
      {Arithmetic::kTf32, Arithmetic::kBf16},
      {Arithmetic::kFp16, Arithmetic::kFp16Fp16},
      {Arithmetic::kBf16, Arithmetic::kFp8},
      {Arithmetic::kFp16, Arithmetic::kInt8},
      {Arithmetic::kFp8, Arithmetic::kFp8Fp16},
      {Arithmetic::kFp8, Arithmetic::kFp4},
  };
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const auto& [slower, faster] : slower_faster) {
      const auto low = Tflops(ceiling, slower);
      const auto high = Tflops(ceiling, faster);
      if (!low || !high) continue;
      EXPECT_LE(*low, *high) << ceiling.name << ", " << Name(slower);
    }
    if (Tflops(ceiling, Arithmetic::kFp16) && Tflops(ceiling, Arithmetic::kBf16)) {
      EXPECT_EQ(Tflops(ceiling, Arithmetic::kFp16), Tflops(ceiling, Arithmetic::kBf16));
    }
  }
}

TEST(CeilingsTest, SizesArePlausible) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    SCOPED_TRACE(ceiling.name);
    ASSERT_TRUE(ceiling.memory_bytes_per_s);
    EXPECT_GE(*ceiling.memory_bytes_per_s, 100e9);
    EXPECT_LE(*ceiling.memory_bytes_per_s, 10e12);
    if (ceiling.sm_count) {
      EXPECT_GE(*ceiling.sm_count, 8);
      EXPECT_LE(*ceiling.sm_count, 200);
    }
    if (ceiling.clock_hz) {
      EXPECT_GE(*ceiling.clock_hz, 900'000'000);
      EXPECT_LE(*ceiling.clock_hz, 2'700'000'000);
      EXPECT_LE(ceiling.tensor_clock_hz.value_or(0), *ceiling.clock_hz);
    }
  }
}

TEST(CeilingsTest, PciIdMemoryAndNameMeanOneEntry) {
  std::set<std::tuple<uint16_t, int64_t, std::string_view>> seen;
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const uint16_t id : PciIds(ceiling)) {
      EXPECT_GE(id, 0x1D00);
      for (const std::string_view name : DriverNames(ceiling)) {
        EXPECT_TRUE(seen.emplace(id, ceiling.memory_bytes, name).second) << ceiling.name;
      }
    }
  }
}

// Without a PCI id, two GPUs of the same name and shape must not be guessed between.
TEST(CeilingsTest, NamesakesOfOneShapeNeedThePciId) {
  std::map<std::tuple<std::string_view, std::optional<int>, int64_t>, const GpuSpec*>
      seen;
  for (const GpuSpec& ceiling : GpuSpecs()) {
    for (const std::string_view name : DriverNames(ceiling)) {
      const auto [at, is_new] =
          seen.try_emplace({name, ceiling.sm_count, ceiling.memory_bytes}, &ceiling);
      if (is_new) continue;
      EXPECT_TRUE(ceiling.needs_pci_id) << ceiling.name;
      EXPECT_TRUE(at->second->needs_pci_id) << at->second->name;
    }
  }
}

}  // namespace
}  // namespace ridgeline::hardware
