// Volta: the first tensor cores, fp16 only.
#include "hardware/gpu_spec_tables.h"

namespace ridgeline::hardware {
namespace {

// 8 tensor cores per SM, each 64 multiply-adds per clock, at either accumulate type.
constexpr Chip kGv100 = {
    .architecture = "Volta",
    .name = "GV100",
    .capability = {7, 0},
    .flop_per_clock_per_sm = {.fp64 = 64, .fp32 = 128, .fp16 = 1024, .fp16_fp16 = 1024},
};

constexpr ByArithmetic kSxmTflops = {.fp64 = 7.8, .fp32 = 15.7, .fp16 = 125};
constexpr ByArithmetic kPcieTflops = {.fp64 = 7, .fp32 = 14, .fp16 = 112};

constexpr GpuSpec kVoltaCeilings[] = {
    {.name = "V100 SXM2 16GB",
     .driver_names = {"V100-SXM2-16GB"},
     .chip = &kGv100,
     .sm_count = 80,
     .memory_bytes = GiB(16),
     .pci_device_ids = {0x1DB1},
     .clock_hz = MHz(1530),
     .memory_bytes_per_s = GBps(900),
     .published_tflops = kSxmTflops,
     .source = "NVIDIA V100 datasheet, 2020; Tesla V100 whitepaper, table 1, 2017"},
    {.name = "V100 SXM2 32GB",
     .driver_names = {"V100-SXM2-32GB"},
     .chip = &kGv100,
     .sm_count = 80,
     .memory_bytes = GiB(32),
     .pci_device_ids = {0x1DB5},
     .clock_hz = MHz(1530),
     .memory_bytes_per_s = GBps(900),
     .published_tflops = kSxmTflops,
     .source = "NVIDIA V100 datasheet, 2020; Tesla V100 whitepaper, table 1, 2017"},
    {.name = "V100 PCIe 16GB",
     .driver_names = {"V100-PCIE-16GB"},
     .chip = &kGv100,
     .sm_count = 80,
     .memory_bytes = GiB(16),
     .pci_device_ids = {0x1DB4},
     .clock_hz = MHz(1380),
     .memory_bytes_per_s = GBps(900),
     .published_tflops = kPcieTflops,
     .source = "NVIDIA V100 datasheet, 2020; Tesla V100 PCIe product brief, 2018"},
    {.name = "V100 PCIe 32GB",
     .driver_names = {"V100-PCIE-32GB"},
     .chip = &kGv100,
     .sm_count = 80,
     .memory_bytes = GiB(32),
     .pci_device_ids = {0x1DB6},
     .clock_hz = MHz(1380),
     .memory_bytes_per_s = GBps(900),
     .published_tflops = kPcieTflops,
     .source = "NVIDIA V100 datasheet, 2020; Tesla V100 PCIe product brief, 2018"},
    {.name = "V100S PCIe 32GB",
     .driver_names = {"V100S-PCIE-32GB"},
     .chip = &kGv100,
     .sm_count = 80,
     .memory_bytes = GiB(32),
     .pci_device_ids = {0x1DF6},
     .clock_hz = MHz(1597),
     .memory_bytes_per_s = GBps(1134),
     .published_tflops = {.fp64 = 8.2, .fp32 = 16.4, .fp16 = 130},
     .source = "NVIDIA V100 datasheet, column V100S PCIe, 2020"},
};

}  // namespace

std::span<const GpuSpec> VoltaCeilings() { return kVoltaCeilings; }

}  // namespace ridgeline::hardware
