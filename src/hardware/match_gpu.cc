#include "hardware/match_gpu.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

namespace ridgeline::hardware {
namespace {

constexpr uint32_t kNvidia = 0x10DE;

// Drivers and in-line ECC leave 91 % (A10 with ECC) or more of the nominal memory;
// variants of one model differ by at least a sixth (RTX 3080 with 10 and 12 GB).
constexpr double kMemoryShareMin = 0.88;
constexpr double kMemoryShareMax = 1.02;

// A board whose maximum clock is below the table's is a cut-down variant.
constexpr double kClockShareMin = 0.98;

constexpr std::string_view kAdvice =
    "set the dense peak of the dtype with hardware.peak_tflops (10^12 FLOP/s) or the "
    "environment variable MFU_PEAK_TFLOPS, and the peak memory bandwidth with "
    "hardware.peak_gbps (10^9 bytes/s)";

UnknownDevice Unknown(std::string reason) {
  return {std::move(reason), std::string(kAdvice)};
}

std::string PciText(uint32_t pci_device_id) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04X:%04X", pci_device_id & 0xFFFF,
                pci_device_id >> 16);
  return text.data();
}

// Depending on their age, drivers put "NVIDIA ", "Tesla " or nothing before the name.
std::string_view WithoutMaker(std::string_view name) {
  for (const std::string_view maker : {"NVIDIA ", "Tesla "}) {
    if (name.starts_with(maker)) name.remove_prefix(maker.size());
  }
  return name;
}

bool IsCalled(const GpuSpec& ceiling, std::string_view name) {
  const auto names = DriverNames(ceiling);
  return std::find(names.begin(), names.end(), WithoutMaker(name)) != names.end();
}

bool HasPciId(const GpuSpec& ceiling, uint32_t pci_device_id) {
  const auto ids = PciIds(ceiling);
  return std::find(ids.begin(), ids.end(), pci_device_id >> 16) != ids.end();
}

bool FitsMemory(const GpuSpec& ceiling, int64_t memory_bytes) {
  const double share =
      static_cast<double>(memory_bytes) / static_cast<double>(ceiling.memory_bytes);
  return share >= kMemoryShareMin && share <= kMemoryShareMax;
}

std::string MemoryText(int64_t memory_bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB",
                static_cast<double>(memory_bytes) / static_cast<double>(1LL << 30));
  return text.data();
}

// A description of the first fact that contradicts an entry; empty if all agree.
std::optional<std::string> Contradiction(const DeviceFacts& facts,
                                         const GpuSpec& ceiling) {
  if (facts.name && !IsCalled(ceiling, *facts.name)) {
    return "its name is '" + *facts.name + "'";
  }
  if (facts.capability && *facts.capability != ceiling.chip->capability) {
    return "its compute capability is " + ToText(*facts.capability) + ", not " +
           ToText(ceiling.chip->capability);
  }
  if (facts.sm_count && ceiling.sm_count && *facts.sm_count != *ceiling.sm_count) {
    return "it has " + std::to_string(*facts.sm_count) + " SMs, not " +
           std::to_string(*ceiling.sm_count);
  }
  if (facts.memory_bytes && !FitsMemory(ceiling, *facts.memory_bytes)) {
    return "it has " + MemoryText(*facts.memory_bytes) + " of memory, not " +
           MemoryText(ceiling.memory_bytes);
  }
  // Tensor cores may have a clock below the board's maximum.
  const std::optional<int64_t> clock_hz = ceiling.clock_hz;
  if (facts.sm_clock_max_hz && clock_hz &&
      static_cast<double>(*facts.sm_clock_max_hz) <
          kClockShareMin * static_cast<double>(*clock_hz)) {
    return "its maximum clock is " + std::to_string(*facts.sm_clock_max_hz / 1'000'000) +
           " MHz, not " + std::to_string(*clock_hz / 1'000'000);
  }
  return std::nullopt;
}

std::string List(const std::vector<const GpuSpec*>& ceilings) {
  std::string text;
  for (const GpuSpec* ceiling : ceilings) {
    text += (text.empty() ? "" : ", ") + std::string(ceiling->name);
  }
  return text;
}

// The only candidate that agrees with every fact. `by` describes how they were found.
DeviceMatch OnlyOne(const std::vector<const GpuSpec*>& candidates,
                    const DeviceFacts& facts, const std::string& by) {
  std::vector<const GpuSpec*> agreeing;
  std::string contradiction;
  for (const GpuSpec* candidate : candidates) {
    const std::optional<std::string> found = Contradiction(facts, *candidate);
    if (!found) agreeing.push_back(candidate);
    if (found && contradiction.empty()) {
      contradiction =
          by + " belongs to " + std::string(candidate->name) + ", but " + *found;
    }
  }
  if (agreeing.empty()) return Unknown(contradiction);
  if (agreeing.size() > 1)
    return Unknown(by + " matches several GPUs: " + List(agreeing));
  return KnownDevice{agreeing.front(), by};
}

DeviceMatch MatchByPciId(const DeviceFacts& facts, std::span<const GpuSpec> table) {
  const uint32_t pci_device_id = *facts.pci_device_id;
  const std::string by = "PCI device id " + PciText(pci_device_id);
  if ((pci_device_id & 0xFFFF) != kNvidia)
    return Unknown(by + " is not an NVIDIA device");
  std::vector<const GpuSpec*> candidates;
  for (const GpuSpec& ceiling : table) {
    if (HasPciId(ceiling, pci_device_id)) candidates.push_back(&ceiling);
  }
  if (candidates.empty()) {
    return Unknown(by + (facts.name ? " ('" + *facts.name + "')" : "") +
                   " is not in the GPU table");
  }
  return OnlyOne(candidates, facts, by);
}

DeviceMatch MatchByShape(const DeviceFacts& facts, std::span<const GpuSpec> table) {
  if (!facts.name || !facts.sm_count || !facts.memory_bytes || !facts.capability) {
    return Unknown(
        "identifying a GPU without a PCI device id needs name, SM count, memory and "
        "compute capability");
  }
  const std::string by = "name '" + *facts.name + "'";
  std::vector<const GpuSpec*> candidates;
  for (const GpuSpec& ceiling : table) {
    if (IsCalled(ceiling, *facts.name)) candidates.push_back(&ceiling);
  }
  if (candidates.empty()) return Unknown(by + " is not in the GPU table");
  DeviceMatch match = OnlyOne(candidates, facts, by);
  const KnownDevice* known = std::get_if<KnownDevice>(&match);
  if (known != nullptr && (known->ceiling->needs_pci_id || !known->ceiling->sm_count)) {
    return Unknown(by + " is ambiguous: only the PCI device id distinguishes " +
                   std::string(known->ceiling->name) + " from GPUs of the same name");
  }
  return match;
}

}  // namespace

DeviceFacts FactsOf(const Gpu& gpu) {
  return {.pci_device_id = gpu.pci_device_id,
          .name = gpu.name,
          .sm_count = gpu.sm_count,
          .memory_bytes = gpu.memory_total_bytes,
          .capability = gpu.capability,
          .sm_clock_max_hz = gpu.sm_clock_max_hz,
          .mig = gpu.mig};
}

DeviceMatch MatchDevice(const DeviceFacts& facts, std::span<const GpuSpec> table) {
  const bool named_slice = facts.name && facts.name->find(" MIG ") != std::string::npos;
  if (facts.mig.value_or(false) || named_slice) {
    return Unknown("MIG is enabled: a MIG instance has lower ceilings than the GPU");
  }
  if (facts.pci_device_id) return MatchByPciId(facts, table);
  return MatchByShape(facts, table);
}

}  // namespace ridgeline::hardware
