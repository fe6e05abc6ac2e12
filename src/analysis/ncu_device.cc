#include "analysis/ncu_device.h"

#include <charconv>
#include <limits>
#include <optional>
#include <variant>

#include "hardware/gpu_specs.h"
#include "hardware/match_gpu.h"

namespace ridgeline::analysis {
namespace {

using hardware::Arithmetic;
using hardware::GpuSpec;

std::optional<double> PeakOrNothing(const GpuSpec& ceiling, Arithmetic arithmetic) {
  const auto peak = hardware::PeakOf(ceiling, arithmetic);
  const auto* const found = std::get_if<hardware::Peak>(&peak);
  if (found == nullptr) return {};
  return found->flops_per_s;
}

// nullopt if the value does not fit.
template <typename Whole>
std::optional<Whole> WholeOf(const std::optional<double>& number) {
  const bool fits = number && *number >= 1 &&
                    *number <= static_cast<double>(std::numeric_limits<Whole>::max());
  if (!fits) return {};
  return static_cast<Whole>(*number);
}

// "8.6"
std::optional<hardware::Capability> CapabilityOf(std::string_view text) {
  hardware::Capability capability;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, capability.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return {};
  const auto minor = std::from_chars(major.ptr + 1, end, capability.minor);
  if (minor.ec != std::errc() || minor.ptr != end) return {};
  return capability;
}

}  // namespace

NcuDevice NcuDeviceOf(const GpuSpec& ceiling) {
  NcuDevice device = {.name = std::string(ceiling.name)};
  auto& flops = device.ceilings.flops_per_s;
  Arithmetic tensor = Arithmetic::kBf16;
  flops[NcuPrecision::kTensor] = PeakOrNothing(ceiling, tensor);
  if (!flops[NcuPrecision::kTensor]) {
    tensor = Arithmetic::kFp16;
    flops[NcuPrecision::kTensor] = PeakOrNothing(ceiling, tensor);
  }
  flops[NcuPrecision::kFp32] = PeakOrNothing(ceiling, Arithmetic::kFp32);
  flops[NcuPrecision::kFp64] = PeakOrNothing(ceiling, Arithmetic::kFp64);
  device.ceilings.Of(MemoryLevel::kDram) = ceiling.memory_bytes_per_s;
  device.note = "tensor: dense " + std::string(hardware::Name(tensor)) +
                " peak; source: " + std::string(ceiling.source);
  return device;
}

NcuDevice NcuDeviceOf(const NcuKernel& kernel, std::string_view capability) {
  if (kernel.device_name.empty()) {
    return {.note = "GPU unknown: not named in the files; set it with --gpu"};
  }
  hardware::DeviceFacts facts = {.name = kernel.device_name};
  facts.sm_count = WholeOf<int>(kernel.sm_count);
  facts.pci_device_id = WholeOf<uint32_t>(kernel.pci_device_id);
  facts.capability = CapabilityOf(capability);
  const hardware::DeviceMatch match = hardware::MatchDevice(facts);
  if (const auto* const known = std::get_if<hardware::KnownDevice>(&match)) {
    return NcuDeviceOf(*known->ceiling);
  }
  return {.name = kernel.device_name,
          .note = std::get<hardware::UnknownDevice>(match).reason +
                  "; set --gpu, or --peak-tflops and --peak-gbps"};
}

}  // namespace ridgeline::analysis
