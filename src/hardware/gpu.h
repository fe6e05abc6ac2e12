// The NVIDIA GPUs of this machine, as described by the driver's management library
// (NVML). The library comes with the driver: it is loaded on demand, and neither its
// header nor CUDA is needed.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::hardware {

// Compute capability of an NVIDIA GPU: 8.0 is an A100.

struct Capability {
  int major = 0;
  int minor = 0;

  // clang-tidy 14 mistakes the comparison with 0 inside for one with a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  auto operator<=>(const Capability&) const = default;
};

std::string ToText(Capability capability);  // "8.0"

// CUDA cores (fp32 lanes) per streaming multiprocessor. Empty for an unknown compute
// capability.
std::optional<int> CoresPerSm(Capability capability);

// The number of multiprocessors for this many cores. Empty if the number is implausible.
std::optional<int> SmCountOf(Capability capability, unsigned cores);

// Fields not supported by the card or the driver are empty.
struct Gpu {
  int index = 0;
  std::optional<std::string> name;
  std::optional<std::string> uuid;
  std::optional<std::string> pci_bus_id;     // "00000000:3B:00.0"
  std::optional<uint32_t> pci_device_id;     // Device and vendor: 0x20B010DE.
  std::optional<uint32_t> pci_subsystem_id;  // Of the board vendor: 0x146310DE.
  std::optional<Capability> capability;
  std::optional<int> core_count;  // CUDA cores.
  // From core count and capability; NVML does not report it.
  std::optional<int> sm_count;
  std::optional<int64_t> memory_total_bytes;
  std::optional<int64_t> memory_used_bytes;
  std::optional<int64_t> sm_clock_hz;  // Current; an idle card clocks down.
  std::optional<int64_t> sm_clock_max_hz;
  std::optional<int64_t> memory_clock_hz;
  std::optional<int64_t> memory_clock_max_hz;
  std::optional<double> power_limit_w;
  std::optional<int> temperature_celsius;
  std::optional<bool> persistence_mode;
  std::optional<std::string> compute_mode;  // "default", "exclusive process", ...
  std::optional<bool> ecc;
  std::optional<bool> mig;
  // Why the clock is not higher: "gpu idle", "software power cap". Empty list: not
  // throttled.
  std::optional<std::vector<std::string>> throttle_reasons;

  // Whether the clocks were set manually. NVML shows it only while the card is busy, so
  // it is unknown for an idle card.
  std::optional<bool> ClocksAreSet() const;
};

struct GpuSurvey {
  enum class Outcome {
    kNoDriver,  // No library, or it finds no driver; see `reason`.
    kNoDevice,  // The driver works but reports no GPU that we may use.
    kFound,
  };

  Outcome outcome = Outcome::kNoDriver;
  std::string reason;
  std::optional<std::string> driver_version;       // "535.161.08"
  std::optional<std::string> cuda_driver_version;  // Newest CUDA supported: "12.2".
  std::vector<Gpu> gpus;
};

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// `library` is a path, or a name resolved by the dynamic loader.
GpuSurvey SurveyGpus(const std::string& library = kNvmlLibrary);

}  // namespace ridgeline::hardware
