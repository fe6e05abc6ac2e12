// A loaded NVML. Any call may be missing in an old driver.
#pragma once

#include <string>

#include "base/result.h"

namespace ridgeline::hardware::nvml {

// The part of NVML's C interface that we use, declared by hand: types and numbers that
// NVIDIA keeps stable across drivers.

using Return = int;  // 0 is success.
using Device = void*;

inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kDriverNotLoaded = 9;

struct Memory {
  unsigned long long total_bytes;
  unsigned long long free_bytes;
  unsigned long long used_bytes;
};

// nvmlPciInfo_t as of nvmlDeviceGetPciInfo_v3.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pci_device_id;
  unsigned int pci_subsystem_id;
  char bus_id[32];
};

inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
inline constexpr int kTemperatureGpu = 0;

// Bits of nvmlDeviceGetCurrentClocksThrottleReasons.
inline constexpr unsigned long long kGpuIdle = 0x1;
inline constexpr unsigned long long kApplicationsClocksSetting = 0x2;
inline constexpr unsigned long long kSoftwarePowerCap = 0x4;
inline constexpr unsigned long long kHardwareSlowdown = 0x8;
inline constexpr unsigned long long kSyncBoost = 0x10;
inline constexpr unsigned long long kSoftwareThermalSlowdown = 0x20;
inline constexpr unsigned long long kHardwareThermalSlowdown = 0x40;
inline constexpr unsigned long long kHardwarePowerBrakeSlowdown = 0x80;
inline constexpr unsigned long long kDisplayClockSetting = 0x100;

struct Calls {
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*cuda_driver_version)(int*) = nullptr;  // 12020: 12.2.
  Return (*device_count)(unsigned*) = nullptr;
  Return (*device_by_index)(unsigned, Device*) = nullptr;
  Return (*name)(Device, char*, unsigned) = nullptr;
  Return (*uuid)(Device, char*, unsigned) = nullptr;
  Return (*pci_info)(Device, PciInfo*) = nullptr;
  Return (*capability)(Device, int* major, int* minor) = nullptr;
  Return (*core_count)(Device, unsigned*) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*clock)(Device, int, unsigned*) = nullptr;      // MHz.
  Return (*max_clock)(Device, int, unsigned*) = nullptr;  // MHz.
  Return (*power_limit)(Device, unsigned*) = nullptr;     // Milliwatts.
  Return (*temperature)(Device, int, unsigned*) = nullptr;
  Return (*persistence_mode)(Device, int*) = nullptr;
  Return (*compute_mode)(Device, int*) = nullptr;
  Return (*ecc_mode)(Device, int* current, int* pending) = nullptr;
  Return (*mig_mode)(Device, unsigned* current, unsigned* pending) = nullptr;
  Return (*throttle_reasons)(Device, unsigned long long*) = nullptr;
};

// Loads and initializes the library; the destructor shuts it down and unloads it.
class Library {
 public:
  // Errors: kNotFound, no such library; kUnsupported, it found no driver or lacks the
  // essential calls.
  static Result<Library> Load(const std::string& library);

  ~Library();
  Library(Library&& other) noexcept;
  Library& operator=(Library&&) = delete;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Calls& calls() const { return calls_; }
  std::string Describe(Return code) const;  // "Driver Not Loaded"

 private:
  explicit Library(void* handle) : handle_(handle) {}

  void* handle_;
  bool started_ = false;
  Calls calls_;
};

}  // namespace ridgeline::hardware::nvml
