// Peak dense FLOP/s per data type and peak memory bandwidth of GPUs, from the vendor's
// documents. There are no defaults: an unlisted GPU or number is unknown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "hardware/gpu.h"

namespace ridgeline::hardware {

// Input and accumulator type. Unless the name contains "accumulate", the accumulator is
// fp32 (int32 for int8), the default of cuBLAS.
enum class Arithmetic {
  kFp64,        // On the CUDA cores.
  kFp64Tensor,  // On the tensor cores.
  kFp32,        // On the CUDA cores; used for float32 while TF32 is not allowed.
  kTf32,
  kBf16,
  kFp16,
  kFp16Fp16,  // fp16 accumulate.
  kFp8,
  kFp8Fp16,  // fp16 accumulate.
  kInt8,
  kFp4,
};

inline constexpr std::array kArithmetics = {
    Arithmetic::kFp64,     Arithmetic::kFp64Tensor, Arithmetic::kFp32,
    Arithmetic::kTf32,     Arithmetic::kBf16,       Arithmetic::kFp16,
    Arithmetic::kFp16Fp16, Arithmetic::kFp8,        Arithmetic::kFp8Fp16,
    Arithmetic::kInt8,     Arithmetic::kFp4,
};

std::string_view Name(Arithmetic arithmetic);  // "fp16 with fp16 accumulate"

// One number per kind of arithmetic; the unit is given by the member that uses it.
struct ByArithmetic {
  std::optional<double> fp64;
  std::optional<double> fp64_tensor;
  std::optional<double> fp32;
  std::optional<double> tf32;
  std::optional<double> bf16;
  std::optional<double> fp16;
  std::optional<double> fp16_fp16;
  std::optional<double> fp8;
  std::optional<double> fp8_fp16;
  std::optional<double> int8;
  std::optional<double> fp4;

  const std::optional<double>& Of(Arithmetic arithmetic) const;
};

// Properties shared by GPUs that differ only in size and clocks.
struct Chip {
  std::string_view architecture;  // "Ampere"
  std::string_view name;  // "GA10x, GeForce": rates also depend on the market segment.
  Capability capability;
  // Dense; a multiply-add counts as two. Empty if the vendor publishes neither these nor
  // the clocks; then the published peaks are used.
  ByArithmetic flop_per_clock_per_sm;
};

inline constexpr size_t kDriverNamesMax = 2;
inline constexpr size_t kPciIdsMax = 4;

struct GpuSpec {
  std::string_view name;
  // The name in NVML and CUDA, without a leading "NVIDIA " or "Tesla ". Empty: unused.
  std::array<std::string_view, kDriverNamesMax> driver_names;
  const Chip* chip = nullptr;
  std::optional<int> sm_count;
  int64_t memory_bytes = 0;  // Nominal; drivers and ECC report up to a tenth less.
  // NVIDIA's device ids (vendor 10DE). 0: unused. Two GPUs may share one; they then
  // differ in memory or name.
  std::array<uint16_t, kPciIdsMax> pci_device_ids = {};
  // Another GPU with different ceilings has the same name, memory and SM count; only the
  // PCI id distinguishes them.
  bool needs_pci_id = false;
  // The boost clock in the vendor's document, which its numbers are based on; a cool card
  // may run above it, a power-limited one below.
  std::optional<int64_t> clock_hz;
  std::optional<int64_t> tensor_clock_hz;  // If different; not for fp64.
  std::optional<double> memory_bytes_per_s;
  ByArithmetic published_tflops;         // Dense, as published.
  ByArithmetic published_sparse_tflops;  // With 2:4 sparsity, as published.
  std::string_view source;               // The vendor's document and its year.
  std::string_view note;                 // A remark on the numbers.
};

// The table, oldest architecture first.
std::span<const GpuSpec> GpuSpecs();

std::span<const uint16_t> PciIds(const GpuSpec& ceiling);
std::span<const std::string_view> DriverNames(const GpuSpec& ceiling);

// Whether the chip supports it at all, fast or slow.
bool Supports(const Chip& chip, Arithmetic arithmetic);

struct Peak {
  enum class Basis {
    kDerived,          // SMs x clock x FLOP per clock.
    kPublished,        // The vendor's dense number.
    kPublishedSparse,  // Half of the vendor's sparse number.
  };

  double flops_per_s = 0;  // Dense.
  Basis basis = Basis::kDerived;
  double sparse_factor = 1;  // 2: structured sparsity may double it.
};

struct NoPeak {
  std::string reason;  // "Turing (TU10x, GeForce) has no bf16"
};

std::variant<Peak, NoPeak> PeakOf(const GpuSpec& ceiling, Arithmetic arithmetic);

}  // namespace ridgeline::hardware
