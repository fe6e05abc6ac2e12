#include "hardware/gpu.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "hardware/nvml.h"

namespace ridgeline::hardware {
namespace {

using nvml::Calls;
using nvml::Device;

constexpr int64_t kHzPerMhz = 1'000'000;
constexpr double kMilli = 1e-3;
constexpr const char* kClocksSetByPerson = "applications clocks setting";
constexpr const char* kIdle = "gpu idle";

// Calls an NVML function whose last argument is the result; empty if the driver lacks the
// function or the card does not support it.
template <typename T, typename Call, typename... Given>
std::optional<T> Ask(Call call, Given... given) {
  T answer{};
  if (call == nullptr || call(given..., &answer) != nvml::kSuccess) return std::nullopt;
  return answer;
}

template <typename Call, typename... Given>
std::optional<std::string> AskText(Call call, Given... given) {
  std::array<char, 96> text = {};  // The longest NVML needs (a UUID).
  if (call == nullptr) return std::nullopt;
  if (call(given..., text.data(), static_cast<unsigned>(text.size())) != nvml::kSuccess) {
    return std::nullopt;
  }
  return std::string(text.data());
}

// NVML's two-state enum.
std::optional<bool> Truth(std::optional<int> answer) {
  if (!answer) return std::nullopt;
  return *answer != 0;
}

std::optional<int64_t> Hz(std::optional<unsigned> mhz) {
  if (!mhz) return std::nullopt;
  return int64_t{*mhz} * kHzPerMhz;
}

std::optional<std::string> ComputeMode(std::optional<int> mode) {
  constexpr const char* kNames[] = {"default", "exclusive thread", "prohibited",
                                    "exclusive process"};
  if (!mode || *mode < 0 || *mode >= static_cast<int>(std::size(kNames))) {
    return std::nullopt;
  }
  return kNames[*mode];
}

std::optional<std::vector<std::string>> ThrottleReasons(
    std::optional<unsigned long long> bits) {
  constexpr std::pair<unsigned long long, const char*> kNames[] = {
      {nvml::kGpuIdle, kIdle},
      {nvml::kApplicationsClocksSetting, kClocksSetByPerson},
      {nvml::kSoftwarePowerCap, "software power cap"},
      {nvml::kHardwareSlowdown, "hardware slowdown"},
      {nvml::kSyncBoost, "sync boost"},
      {nvml::kSoftwareThermalSlowdown, "software thermal slowdown"},
      {nvml::kHardwareThermalSlowdown, "hardware thermal slowdown"},
      {nvml::kHardwarePowerBrakeSlowdown, "hardware power brake"},
      {nvml::kDisplayClockSetting, "display clock setting"},
  };
  if (!bits) return std::nullopt;
  std::vector<std::string> reasons;
  for (const auto& [bit, name] : kNames) {
    if ((*bits & bit) != 0) reasons.emplace_back(name);
  }
  return reasons;
}

void DescribeIdentity(const Calls& calls, Device device, Gpu& gpu) {
  gpu.name = AskText(calls.name, device);
  gpu.uuid = AskText(calls.uuid, device);
  if (const auto pci = Ask<nvml::PciInfo>(calls.pci_info, device)) {
    gpu.pci_bus_id = std::string(pci->bus_id, ::strnlen(pci->bus_id, sizeof pci->bus_id));
    gpu.pci_device_id = pci->pci_device_id;
    // Boards without one report 0.
    if (pci->pci_subsystem_id != 0) gpu.pci_subsystem_id = pci->pci_subsystem_id;
  }
  Capability capability;
  if (calls.capability != nullptr &&
      calls.capability(device, &capability.major, &capability.minor) == nvml::kSuccess) {
    gpu.capability = capability;
  }
  if (const auto cores = Ask<unsigned>(calls.core_count, device)) {
    gpu.core_count = static_cast<int>(*cores);
    if (gpu.capability) gpu.sm_count = SmCountOf(*gpu.capability, *cores);
  }
}

void DescribeState(const Calls& calls, Device device, Gpu& gpu) {
  if (const auto memory = Ask<nvml::Memory>(calls.memory, device)) {
    gpu.memory_total_bytes = static_cast<int64_t>(memory->total_bytes);
    gpu.memory_used_bytes = static_cast<int64_t>(memory->used_bytes);
  }
  const auto clock = [&](auto call, int domain) {
    return Hz(Ask<unsigned>(call, device, domain));
  };
  gpu.sm_clock_hz = clock(calls.clock, nvml::kClockSm);
  gpu.sm_clock_max_hz = clock(calls.max_clock, nvml::kClockSm);
  gpu.memory_clock_hz = clock(calls.clock, nvml::kClockMemory);
  gpu.memory_clock_max_hz = clock(calls.max_clock, nvml::kClockMemory);
  if (const auto milliwatts = Ask<unsigned>(calls.power_limit, device)) {
    gpu.power_limit_w = *milliwatts * kMilli;
  }
  const auto celsius = Ask<unsigned>(calls.temperature, device, nvml::kTemperatureGpu);
  if (celsius) gpu.temperature_celsius = static_cast<int>(*celsius);
  gpu.throttle_reasons =
      ThrottleReasons(Ask<unsigned long long>(calls.throttle_reasons, device));
}

void DescribeModes(const Calls& calls, Device device, Gpu& gpu) {
  gpu.persistence_mode = Truth(Ask<int>(calls.persistence_mode, device));
  gpu.compute_mode = ComputeMode(Ask<int>(calls.compute_mode, device));
  int ecc = 0;
  int ecc_after_reboot = 0;
  if (calls.ecc_mode != nullptr &&
      calls.ecc_mode(device, &ecc, &ecc_after_reboot) == nvml::kSuccess) {
    gpu.ecc = ecc != 0;
  }
  unsigned mig = 0;
  unsigned mig_after_reset = 0;
  if (calls.mig_mode != nullptr &&
      calls.mig_mode(device, &mig, &mig_after_reset) == nvml::kSuccess) {
    gpu.mig = mig != 0;
  }
}

}  // namespace

std::optional<bool> Gpu::ClocksAreSet() const {
  if (!throttle_reasons) return std::nullopt;
  const auto has = [this](const char* reason) {
    return std::ranges::find(*throttle_reasons, reason) != throttle_reasons->end();
  };
  if (has(kClocksSetByPerson)) return true;
  if (has(kIdle)) return std::nullopt;
  return false;
}

GpuSurvey SurveyGpus(const std::string& library) {
  GpuSurvey survey;
  const Result<nvml::Library> loaded = nvml::Library::Load(library);
  if (!loaded.ok()) {
    survey.reason = loaded.error().message();
    return survey;
  }
  const Calls& calls = loaded.value().calls();
  survey.driver_version = AskText(calls.driver_version);
  if (const auto cuda = Ask<int>(calls.cuda_driver_version)) {
    survey.cuda_driver_version =
        std::to_string(*cuda / 1000) + "." + std::to_string(*cuda % 1000 / 10);
  }
  const unsigned count = Ask<unsigned>(calls.device_count).value_or(0);
  for (unsigned index = 0; index < count; ++index) {
    Device device = nullptr;
    // A card that fell off the bus, or that we may not use, has no handle.
    if (calls.device_by_index(index, &device) != nvml::kSuccess) continue;
    Gpu gpu = {.index = static_cast<int>(index)};
    DescribeIdentity(calls, device, gpu);
    DescribeState(calls, device, gpu);
    DescribeModes(calls, device, gpu);
    survey.gpus.push_back(std::move(gpu));
  }
  survey.outcome =
      survey.gpus.empty() ? GpuSurvey::Outcome::kNoDevice : GpuSurvey::Outcome::kFound;
  if (survey.gpus.empty()) {
    survey.reason = count == 0
                        ? "the driver reports no GPU"
                        : "none of the " + std::to_string(count) + " GPUs is usable";
  }
  return survey;
}

}  // namespace ridgeline::hardware
