#include "hardware/match_gpu.h"

#include <gtest/gtest.h>

namespace ridgeline::hardware {
namespace {

constexpr int64_t kMiB = 1LL << 20;

// A name, or the reason why there is no match.
std::string Match(const DeviceFacts& facts) {
  const DeviceMatch match = MatchDevice(facts);
  if (const auto* known = std::get_if<KnownDevice>(&match)) {
    return std::string(known->ceiling->name);
  }
  return "unknown: " + std::get<UnknownDevice>(match).reason;
}

struct DeviceCase {
  const char* what;
  DeviceFacts facts;
  const char* want;
};

TEST(MatchDeviceTest, KnowsWhatNvmlTells) {
  const DeviceCase cases[] = {
      {"A100",
       {.pci_device_id = 0x20B010DE,
        .name = "NVIDIA A100-SXM4-40GB",
        .memory_bytes = 40960 * kMiB,
        .sm_clock_max_hz = 1'410'000'000},
       "A100 SXM4 40GB"},
      {"an old driver says no NVIDIA",
       {.pci_device_id = 0x20B010DE, .name = "A100-SXM4-40GB"},
       "A100 SXM4 40GB"},
      {"H100",
       {.pci_device_id = 0x233010DE,
        .name = "NVIDIA H100 80GB HBM3",
        .memory_bytes = 81559 * kMiB,
        .sm_clock_max_hz = 1'980'000'000},
       "H100 SXM5 80GB"},
      {"Tesla",
       {.pci_device_id = 0x1EB810DE,
        .name = "Tesla T4",
        .memory_bytes = 15360 * kMiB,
        .sm_clock_max_hz = 1'590'000'000},
       "T4"},
      {"ECC takes memory",
       {.pci_device_id = 0x223610DE,
        .name = "NVIDIA A10",
        .memory_bytes = 23'609'475'072},
       "A10"},
      {"memory tells two with one id apart, 16",
       {.pci_device_id = 0x2D0410DE,
        .name = "NVIDIA GeForce RTX 5060 Ti",
        .memory_bytes = 16311 * kMiB},
       "GeForce RTX 5060 Ti 16GB"},
      {"memory tells two with one id apart, 8",
       {.pci_device_id = 0x2D0410DE,
        .name = "NVIDIA GeForce RTX 5060 Ti",
        .memory_bytes = 8151 * kMiB},
       "GeForce RTX 5060 Ti 8GB"},
      {"the name tells two with one id apart",
       {.pci_device_id = 0x25B610DE, .name = "NVIDIA A2", .memory_bytes = 15356 * kMiB},
       "A2"},
      {"only the id tells the memory type",
       {.pci_device_id = 0x24C910DE,
        .name = "NVIDIA GeForce RTX 3060 Ti",
        .memory_bytes = 8192 * kMiB},
       "GeForce RTX 3060 Ti GDDR6X"},
      {"a card may clock above its boost",
       {.pci_device_id = 0x220410DE,
        .name = "NVIDIA GeForce RTX 3090",
        .sm_clock_max_hz = 2'100'000'000},
       "GeForce RTX 3090"},
      {"the memory of the CPU is in the name",
       {.pci_device_id = 0x234210DE,
        .name = "NVIDIA GH200 480GB",
        .memory_bytes = 97871 * kMiB},
       "GH200 96GB HBM3"},
      {"no MIG", {.pci_device_id = 0x220410DE, .mig = false}, "GeForce RTX 3090"},
  };
  for (const DeviceCase& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Match(c.facts), c.want);
  }
}

TEST(MatchDeviceTest, DoesNotTakeALesserOneForTheFull) {
  const DeviceCase cases[] = {
      {"MIG is on",
       {.pci_device_id = 0x20B010DE, .name = "NVIDIA A100-SXM4-40GB", .mig = true},
       "unknown: MIG is enabled: a MIG instance has lower ceilings than the GPU"},
      {"CUDA in a slice",
       {.name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
        .sm_count = 14,
        .memory_bytes = 4864 * kMiB,
        .capability = Capability{8, 0}},
       "unknown: MIG is enabled: a MIG instance has lower ceilings than the GPU"},
      {"a laptop's id",
       {.pci_device_id = 0x1E9010DE, .name = "NVIDIA GeForce RTX 2080"},
       "unknown: PCI device id 10DE:1E90 ('NVIDIA GeForce RTX 2080') is not in the GPU "
       "table"},
      {"a virtual GPU",
       {.pci_device_id = 0x20B010DE,
        .name = "GRID A100-10C",
        .memory_bytes = 10240 * kMiB},
       "unknown: PCI device id 10DE:20B0 belongs to A100 SXM4 40GB, but its name is "
       "'GRID A100-10C'"},
      {"fewer SMs",
       {.pci_device_id = 0x20B010DE, .sm_count = 98},
       "unknown: PCI device id 10DE:20B0 belongs to A100 SXM4 40GB, but it has 98 SMs, "
       "not 108"},
      {"less memory",
       {.pci_device_id = 0x20B010DE, .memory_bytes = 20480 * kMiB},
       "unknown: PCI device id 10DE:20B0 belongs to A100 SXM4 40GB, but it has 20.0 GiB "
       "of memory, not 40.0 GiB"},
      {"a lower clock",
       {.pci_device_id = 0x20B010DE, .sm_clock_max_hz = 1'200'000'000},
       "unknown: PCI device id 10DE:20B0 belongs to A100 SXM4 40GB, but its maximum "
       "clock is 1200 MHz, not 1410"},
      {"another generation",
       {.pci_device_id = 0x20B010DE, .capability = Capability{9, 0}},
       "unknown: PCI device id 10DE:20B0 belongs to A100 SXM4 40GB, but its compute "
       "capability is 9.0, not 8.0"},
      {"another vendor",
       {.pci_device_id = 0x744C1002},
       "unknown: PCI device id 1002:744C is not an NVIDIA device"},
      {"nothing to tell two apart",
       {.pci_device_id = 0x2D0410DE},
       "unknown: PCI device id 10DE:2D04 matches several GPUs: GeForce RTX 5060 Ti 16GB, "
       "GeForce RTX 5060 Ti 8GB"},
  };
  for (const DeviceCase& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Match(c.facts), c.want);
  }
}

TEST(MatchDeviceTest, KnowsWhatCudaTells) {
  const DeviceFacts rtx3090 = {.name = "NVIDIA GeForce RTX 3090",
                               .sm_count = 82,
                               .memory_bytes = 25'286'672'384,
                               .capability = Capability{8, 6}};
  EXPECT_EQ(Match(rtx3090), "GeForce RTX 3090");

  DeviceFacts orin = {.name = "Orin",
                      .sm_count = 14,
                      .memory_bytes = 30536 * kMiB,
                      .capability = Capability{8, 7}};
  EXPECT_EQ(Match(orin), "Jetson AGX Orin 32GB");
  orin.sm_count = 8;
  EXPECT_TRUE(Match(orin).starts_with("unknown: name 'Orin' belongs to")) << Match(orin);

  DeviceFacts laptop = rtx3090;
  laptop.name = "NVIDIA GeForce RTX 3090 Laptop GPU";
  EXPECT_EQ(Match(laptop),
            "unknown: name 'NVIDIA GeForce RTX 3090 Laptop GPU' is not in the GPU table");
}

TEST(MatchDeviceTest, ANameIsNotEnough) {
  const std::string want =
      "unknown: identifying a GPU without a PCI device id needs name, SM count, memory "
      "and compute capability";
  EXPECT_EQ(Match({.name = "NVIDIA H200"}), want);
  EXPECT_EQ(Match({}), want);
  const DeviceFacts maybe_laptop = {.name = "NVIDIA GeForce RTX 2080",
                                    .sm_count = 46,
                                    .memory_bytes = 8192 * kMiB,
                                    .capability = Capability{7, 5}};
  EXPECT_EQ(Match(maybe_laptop),
            "unknown: name 'NVIDIA GeForce RTX 2080' is ambiguous: only the PCI device "
            "id distinguishes GeForce RTX 2080 from GPUs of the same name");
  const DeviceFacts two_memories = {.name = "NVIDIA GeForce RTX 3060 Ti",
                                    .sm_count = 38,
                                    .memory_bytes = 8192 * kMiB,
                                    .capability = Capability{8, 6}};
  EXPECT_EQ(Match(two_memories),
            "unknown: name 'NVIDIA GeForce RTX 3060 Ti' matches several GPUs: GeForce "
            "RTX 3060 Ti, GeForce RTX 3060 Ti GDDR6X");
}

TEST(MatchDeviceTest, SaysHowToGiveTheCeilings) {
  const DeviceMatch match = MatchDevice({});
  const std::string& advice = std::get<UnknownDevice>(match).advice;
  for (const char* word :
       {"hardware.peak_tflops", "hardware.peak_gbps", "MFU_PEAK_TFLOPS"}) {
    EXPECT_NE(advice.find(word), std::string::npos) << word;
  }
}

TEST(MatchDeviceTest, EveryEntryIsFoundByItsOwnFacts) {
  for (const GpuSpec& ceiling : GpuSpecs()) {
    SCOPED_TRACE(ceiling.name);
    DeviceFacts facts = {.name = "NVIDIA " + std::string(DriverNames(ceiling).front()),
                         .sm_count = ceiling.sm_count,
                         .memory_bytes = ceiling.memory_bytes,
                         .capability = ceiling.chip->capability,
                         .sm_clock_max_hz = ceiling.clock_hz};
    if (!ceiling.needs_pci_id && ceiling.sm_count) {
      EXPECT_EQ(Match(facts), ceiling.name);
    }
    for (const uint16_t id : PciIds(ceiling)) {
      facts.pci_device_id = (uint32_t{id} << 16) | 0x10DE;
      EXPECT_EQ(Match(facts), ceiling.name);
    }
  }
}

TEST(MatchDeviceTest, TakesTheFactsOfNvml) {
  Gpu gpu;
  gpu.name = "NVIDIA A100 80GB PCIe";
  gpu.pci_device_id = 0x20B510DE;
  gpu.memory_total_bytes = 81920 * kMiB;
  gpu.sm_clock_max_hz = 1'410'000'000;
  EXPECT_EQ(Match(FactsOf(gpu)), "A100 PCIe 80GB");
  gpu.capability = Capability{8, 0};
  gpu.sm_count = 108;
  EXPECT_EQ(Match(FactsOf(gpu)), "A100 PCIe 80GB");
  gpu.pci_device_id.reset();
  EXPECT_EQ(Match(FactsOf(gpu)), "A100 PCIe 80GB");
  gpu.sm_count = 56;
  EXPECT_EQ(Match(FactsOf(gpu)),
            "unknown: name 'NVIDIA A100 80GB PCIe' belongs to A100 PCIe 80GB, but it has "
            "56 SMs, not 108");
  gpu.mig = true;
  EXPECT_TRUE(Match(FactsOf(gpu)).starts_with("unknown: MIG"));
}

}  // namespace
}  // namespace ridgeline::hardware
