// The NVIDIA GPUs of this machine, as the driver's management library (NVML) describes
// them. The library comes with the driver: we load it when asked and need neither its
// header nor CUDA.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::hardware {

// The generation of an NVIDIA GPU, as CUDA counts them: 8.0 is an A100.

struct Capability {
  int major = 0;
  int minor = 0;

  // clang-tidy 14 takes the comparison with 0 inside for one with a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  auto operator<=>(const Capability&) const = default;
};

std::string ToText(Capability capability);  // "8.0"

// CUDA cores (lanes that multiply fp32) of one streaming multiprocessor. Nothing for a
// generation that we do not know.
std::optional<int> CoresPerSm(Capability capability);

// How many multiprocessors have so many cores. Nothing if the number cannot be right.
std::optional<int> SmCountOf(Capability capability, unsigned cores);

// Fields that the card or the driver does not support are empty.
struct Gpu {
  int index = 0;
  std::optional<std::string> name;
  std::optional<std::string> uuid;
  std::optional<std::string> pci_bus_id;     // "00000000:3B:00.0"
  std::optional<uint32_t> pci_device_id;     // Device and vendor: 0x20B010DE.
  std::optional<uint32_t> pci_subsystem_id;  // Of the board's maker: 0x146310DE.
  std::optional<Capability> capability;
  std::optional<int> core_count;  // CUDA cores.
  // From core count and capability; NVML does not report it.
  std::optional<int> sm_count;
  std::optional<int64_t> memory_total_bytes;
  std::optional<int64_t> memory_used_bytes;
  std::optional<int64_t> sm_clock_hz;  // Now; an idle card clocks down.
  std::optional<int64_t> sm_clock_max_hz;
  std::optional<int64_t> memory_clock_hz;
  std::optional<int64_t> memory_clock_max_hz;
  std::optional<double> power_limit_w;
  std::optional<int> temperature_celsius;
  std::optional<bool> persistence_mode;
  std::optional<std::string> compute_mode;  // "default", "exclusive process", ...
  std::optional<bool> ecc;
  std::optional<bool> mig;
  // Why the clock is not higher: "gpu idle", "software power cap". Empty list: nothing
  // holds it back.
  std::optional<std::vector<std::string>> throttle_reasons;

  // Whether a person set the clocks. NVML shows it only while the card works, so an
  // idle card leaves it open.
  std::optional<bool> ClocksAreSet() const;
};

struct GpuSurvey {
  enum class Outcome {
    kNoDriver,  // No library, or it finds no driver; `reason` says which.
    kNoDevice,  // The driver is there and sees no GPU that we may use.
    kFound,
  };

  Outcome outcome = Outcome::kNoDriver;
  std::string reason;
  std::optional<std::string> driver_version;       // "535.161.08"
  std::optional<std::string> cuda_driver_version;  // Newest CUDA it supports: "12.2".
  std::vector<Gpu> gpus;
};

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

// `library` is a path, or a name that the dynamic loader looks for.
GpuSurvey SurveyGpus(const std::string& library = kNvmlLibrary);

}  // namespace ridgeline::hardware
