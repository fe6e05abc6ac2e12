// The part of NVML's C interface that we call, written down by hand: types and numbers
// that NVIDIA keeps stable between drivers.
#pragma once

namespace ridgeline::hardware::nvml {

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

}  // namespace ridgeline::hardware::nvml
