// Hopper. Its whitepaper gives the tensor cores a lower clock than the CUDA cores and
// fp64.
#include "hardware/ceiling_tables.h"

namespace ridgeline::hardware {
namespace {

constexpr Chip kGh100 = {
    .architecture = "Hopper",
    .name = "GH100",
    .capability = {9, 0},
    .flop_per_clock_per_sm = {.fp64 = 128,
                              .fp64_tensor = 256,
                              .fp32 = 256,
                              .tf32 = 2048,
                              .bf16 = 4096,
                              .fp16 = 4096,
                              .fp16_fp16 = 4096,
                              .fp8 = 8192,
                              .fp8_fp16 = 8192,
                              .int8 = 8192},
};

constexpr ByArithmetic kModuleTflops = {.fp64 = 34, .fp64_tensor = 67, .fp32 = 67};
constexpr ByArithmetic kModuleSparseTflops = {
    .tf32 = 989, .bf16 = 1979, .fp16 = 1979, .fp8 = 3958, .int8 = 3958};

// The cards for two or four in a row; the clocks of these numbers are not published.
constexpr ByArithmetic kCardTflops = {.fp64 = 30, .fp64_tensor = 60, .fp32 = 60};
constexpr ByArithmetic kCardSparseTflops = {
    .tf32 = 835, .bf16 = 1671, .fp16 = 1671, .fp8 = 3341, .int8 = 3341};

constexpr Ceiling kTable[] = {
    {.name = "H100 SXM5 80GB",
     .driver_names = {"H100 80GB HBM3"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(80),
     .pci_device_ids = {0x2330},
     .clock_hz = MHz(1980),
     .tensor_clock_hz = MHz(1830),
     .memory_bytes_per_s = GBps(3352),
     .published_tflops = {.fp64 = 33.5,
                          .fp64_tensor = 66.9,
                          .fp32 = 66.9,
                          .tf32 = 494.7,
                          .bf16 = 989.4,
                          .fp16 = 989.4,
                          .fp16_fp16 = 989.4,
                          .fp8 = 1978.9,
                          .fp8_fp16 = 1978.9,
                          .int8 = 1978.9},
     .published_sparse_tflops =
         {.tf32 = 989.4, .bf16 = 1978.9, .fp16 = 1978.9, .fp8 = 3957.8, .int8 = 3957.8},
     .source = "NVIDIA H100 whitepaper, table 2, 2022; H100 datasheet, 2023"},
    {.name = "H100 PCIe 80GB",
     .driver_names = {"H100 PCIe"},
     .chip = &kGh100,
     .sm_count = 114,
     .memory_bytes = GiB(80),
     .pci_device_ids = {0x2331},
     .clock_hz = MHz(1755),
     .tensor_clock_hz = MHz(1620),
     .memory_bytes_per_s = GBps(2039),
     .published_tflops = {.fp64 = 25.6,
                          .fp64_tensor = 51.2,
                          .fp32 = 51.2,
                          .tf32 = 378,
                          .bf16 = 756,
                          .fp16 = 756,
                          .fp16_fp16 = 756,
                          .fp8 = 1513,
                          .fp8_fp16 = 1513,
                          .int8 = 1513},
     .published_sparse_tflops =
         {.tf32 = 756, .bf16 = 1513, .fp16 = 1513, .fp8 = 3026, .int8 = 3026},
     .source = "NVIDIA H100 whitepaper, table 2, 2022; H100 PCIe product brief, 2022"},
    {.name = "H100 NVL 94GB",
     .driver_names = {"H100 NVL"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(94),
     .pci_device_ids = {0x2321},
     .memory_bytes_per_s = GBps(3938),
     .published_tflops = kCardTflops,
     .published_sparse_tflops = kCardSparseTflops,
     .source = "NVIDIA H100 datasheet, column H100 NVL, 2024"},
    {.name = "H200 SXM 141GB",
     .driver_names = {"H200"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(141),
     .pci_device_ids = {0x2335},
     .clock_hz = MHz(1980),
     .tensor_clock_hz = MHz(1830),
     .memory_bytes_per_s = GBps(4800),
     .published_tflops = kModuleTflops,
     .published_sparse_tflops = kModuleSparseTflops,
     .source = "NVIDIA H200 datasheet, 2024"},
    {.name = "H200 NVL 141GB",
     .driver_names = {"H200 NVL"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(141),
     .pci_device_ids = {0x233B},
     .memory_bytes_per_s = GBps(4800),
     .published_tflops = kCardTflops,
     .published_sparse_tflops = kCardSparseTflops,
     .source = "NVIDIA H200 datasheet, column H200 NVL, 2024"},
    {.name = "GH200 96GB HBM3",
     .driver_names = {"GH200 480GB", "GH200 120GB"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(96),
     .pci_device_ids = {0x2342},
     .clock_hz = MHz(1980),
     .tensor_clock_hz = MHz(1830),
     .memory_bytes_per_s = GBps(4000),
     .published_tflops = kModuleTflops,
     .published_sparse_tflops = kModuleSparseTflops,
     .source = "NVIDIA GH200 datasheet, 2023",
     .note = "480GB and 120GB in the name are memory of the CPU."},
    {.name = "GH200 144GB HBM3e",
     .driver_names = {"GH200 144G HBM3e"},
     .chip = &kGh100,
     .sm_count = 132,
     .memory_bytes = GiB(144),
     .pci_device_ids = {0x2348},
     .clock_hz = MHz(1980),
     .tensor_clock_hz = MHz(1830),
     .memory_bytes_per_s = GBps(4900),
     .published_tflops = kModuleTflops,
     .published_sparse_tflops = kModuleSparseTflops,
     .source = "NVIDIA GH200 datasheet, 2024"},
};

}  // namespace

std::span<const Ceiling> HopperCeilings() { return kTable; }

}  // namespace ridgeline::hardware
