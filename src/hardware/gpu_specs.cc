#include "hardware/gpu_specs.h"

#include <algorithm>
#include <vector>

#include "hardware/gpu_spec_tables.h"

namespace ridgeline::hardware {
namespace {

constexpr double kSparseFactor = 2;  // 2:4 sparsity skips every second multiplication.

bool IsTensor(Arithmetic arithmetic) {
  return arithmetic != Arithmetic::kFp64 && arithmetic != Arithmetic::kFp32;
}

double SparseFactor(const Chip& chip, Arithmetic arithmetic) {
  const bool sparse = chip.capability >= Capability{8, 0} && IsTensor(arithmetic) &&
                      arithmetic != Arithmetic::kFp64Tensor;
  return sparse ? kSparseFactor : 1;
}

std::optional<int64_t> ClockOf(const GpuSpec& ceiling, Arithmetic arithmetic) {
  const bool low_precision =
      IsTensor(arithmetic) && arithmetic != Arithmetic::kFp64Tensor;
  if (low_precision && ceiling.tensor_clock_hz) return ceiling.tensor_clock_hz;
  return ceiling.clock_hz;
}

std::vector<GpuSpec> JoinTables() {
  std::vector<GpuSpec> all;
  for (const std::span<const GpuSpec> part :
       {VoltaCeilings(), TuringCeilings(), AmpereCeilings(), AmpereRtxCeilings(),
        AdaCeilings(), HopperCeilings(), BlackwellCeilings()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// The elements before the first empty one.
template <typename T, size_t kSize>
std::span<const T> Filled(const std::array<T, kSize>& array) {
  const auto end = std::find(array.begin(), array.end(), T{});
  return std::span<const T>(array).first(static_cast<size_t>(end - array.begin()));
}

}  // namespace

std::string_view Name(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kFp64:
      return "fp64";
    case Arithmetic::kFp64Tensor:
      return "fp64 on tensor cores";
    case Arithmetic::kFp32:
      return "fp32";
    case Arithmetic::kTf32:
      return "tf32";
    case Arithmetic::kBf16:
      return "bf16";
    case Arithmetic::kFp16:
      return "fp16";
    case Arithmetic::kFp16Fp16:
      return "fp16 with fp16 accumulate";
    case Arithmetic::kFp8:
      return "fp8";
    case Arithmetic::kFp8Fp16:
      return "fp8 with fp16 accumulate";
    case Arithmetic::kInt8:
      return "int8";
    case Arithmetic::kFp4:
      return "fp4";
  }
  return "";
}

const std::optional<double>& ByArithmetic::Of(Arithmetic arithmetic) const {
  switch (arithmetic) {
    case Arithmetic::kFp64:
      return fp64;
    case Arithmetic::kFp64Tensor:
      return fp64_tensor;
    case Arithmetic::kFp32:
      return fp32;
    case Arithmetic::kTf32:
      return tf32;
    case Arithmetic::kBf16:
      return bf16;
    case Arithmetic::kFp16:
      return fp16;
    case Arithmetic::kFp16Fp16:
      return fp16_fp16;
    case Arithmetic::kFp8:
      return fp8;
    case Arithmetic::kFp8Fp16:
      return fp8_fp16;
    case Arithmetic::kInt8:
      return int8;
    case Arithmetic::kFp4:
      return fp4;
  }
  return fp64;
}

std::span<const GpuSpec> GpuSpecs() {
  static const std::vector<GpuSpec> all = JoinTables();
  return all;
}

std::span<const uint16_t> PciIds(const GpuSpec& ceiling) {
  return Filled(ceiling.pci_device_ids);
}

std::span<const std::string_view> DriverNames(const GpuSpec& ceiling) {
  return Filled(ceiling.driver_names);
}

bool Supports(const Chip& chip, Arithmetic arithmetic) {
  const Capability capability = chip.capability;
  switch (arithmetic) {
    case Arithmetic::kFp64:
    case Arithmetic::kFp32:
      return true;
    case Arithmetic::kFp16:
    case Arithmetic::kFp16Fp16:
      return capability >= Capability{7, 0};
    case Arithmetic::kInt8:
      return capability >= Capability{7, 5};
    case Arithmetic::kTf32:
    case Arithmetic::kBf16:
      return capability >= Capability{8, 0};
    case Arithmetic::kFp64Tensor:
      // Only data center chips have enough fp64 units for a separate rate.
      return capability == Capability{8, 0} || capability == Capability{9, 0} ||
             capability == Capability{10, 0};
    case Arithmetic::kFp8:
    case Arithmetic::kFp8Fp16:
      return capability >= Capability{8, 9};
    case Arithmetic::kFp4:
      return capability >= Capability{10, 0};
  }
  return false;
}

std::variant<Peak, NoPeak> PeakOf(const GpuSpec& ceiling, Arithmetic arithmetic) {
  const Chip& chip = *ceiling.chip;
  if (!Supports(chip, arithmetic)) {
    return NoPeak{std::string(chip.architecture) + " (" + std::string(chip.name) +
                  ") has no " + std::string(Name(arithmetic))};
  }
  const double sparse_factor = SparseFactor(chip, arithmetic);
  const std::optional<double> rate = chip.flop_per_clock_per_sm.Of(arithmetic);
  const std::optional<int64_t> clock_hz = ClockOf(ceiling, arithmetic);
  if (rate && ceiling.sm_count && clock_hz) {
    return Peak{*rate * *ceiling.sm_count * static_cast<double>(*clock_hz),
                Peak::Basis::kDerived, sparse_factor};
  }
  if (const std::optional<double> dense = ceiling.published_tflops.Of(arithmetic)) {
    return Peak{*dense * 1e12, Peak::Basis::kPublished, sparse_factor};
  }
  if (const auto sparse = ceiling.published_sparse_tflops.Of(arithmetic)) {
    return Peak{*sparse * 1e12 / kSparseFactor, Peak::Basis::kPublishedSparse,
                sparse_factor};
  }
  return NoPeak{"NVIDIA publishes no peak for " + std::string(Name(arithmetic)) + " of " +
                std::string(ceiling.name)};
}

}  // namespace ridgeline::hardware
