// A fake of the driver's libnvidia-ml.so.1, built as a separate library so that tests
// load it like the real one. It has two cards: the first supports everything, the second
// very little.
//
//   RIDGELINE_FAKE_NVML_INIT   return value of nvmlInit_v2 (0)
//   RIDGELINE_FAKE_NVML_IS_OLD omits functions that old drivers lack
//   RIDGELINE_FAKE_NVML_GPUS   number of cards (2)
#include <cstring>

#include "hardware/nvml.h"

#ifndef RIDGELINE_FAKE_NVML_INIT
#define RIDGELINE_FAKE_NVML_INIT 0
#endif
#ifndef RIDGELINE_FAKE_NVML_GPUS
#define RIDGELINE_FAKE_NVML_GPUS 2
#endif

using ridgeline::hardware::nvml::Device;
using ridgeline::hardware::nvml::kApplicationsClocksSetting;
using ridgeline::hardware::nvml::kClockSm;
using ridgeline::hardware::nvml::kDriverNotLoaded;
using ridgeline::hardware::nvml::kGpuIdle;
using ridgeline::hardware::nvml::kNotSupported;
using ridgeline::hardware::nvml::kSuccess;
using ridgeline::hardware::nvml::Memory;
using ridgeline::hardware::nvml::PciInfo;
using ridgeline::hardware::nvml::Return;

namespace {

// A handle is the address of its card.
char g_cards[2];

bool IsFirst(Device device) { return device == &g_cards[0]; }

Return Copy(const char* text, char* target, unsigned size) {
  if (std::strlen(text) + 1 > size) return 7;  // Insufficient size.
  std::memcpy(target, text, std::strlen(text) + 1);
  return kSuccess;
}

// Supported by the first card only.
template <typename T>
Return OnlyFirst(Device device, T* target, T value) {
  if (!IsFirst(device)) return kNotSupported;
  *target = value;
  return kSuccess;
}

}  // namespace

extern "C" {

Return nvmlInit_v2() { return RIDGELINE_FAKE_NVML_INIT; }
Return nvmlShutdown() { return kSuccess; }
const char* nvmlErrorString(Return code) {
  return code == kDriverNotLoaded ? "Driver Not Loaded" : "Unknown Error";
}
Return nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return Copy("535.161.08", text, size);
}
Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 12020;
  return kSuccess;
}
Return nvmlDeviceGetCount_v2(unsigned* count) {
  *count = RIDGELINE_FAKE_NVML_GPUS;
  return kSuccess;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  *device = &g_cards[index];
  return kSuccess;
}
Return nvmlDeviceGetName(Device device, char* text, unsigned size) {
  return Copy(IsFirst(device) ? "NVIDIA A100-SXM4-80GB" : "NVIDIA GeForce GT 1030", text,
              size);
}
Return nvmlDeviceGetUUID(Device device, char* text, unsigned size) {
  return Copy(IsFirst(device) ? "GPU-11111111-2222-3333-4444-555555555555"
                              : "GPU-66666666-7777-8888-9999-000000000000",
              text, size);
}
Return nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  *info = {};
  info->pci_device_id = IsFirst(device) ? 0x20B210DEU : 0x1D0110DEU;
  info->pci_subsystem_id = IsFirst(device) ? 0x146310DEU : 0U;
  return Copy(IsFirst(device) ? "00000000:3B:00.0" : "00000000:AF:00.0", info->bus_id,
              sizeof info->bus_id);
}
#ifndef RIDGELINE_FAKE_NVML_IS_OLD
Return nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  *minor = 0;
  return OnlyFirst(device, major, 8);
}
Return nvmlDeviceGetNumGpuCores(Device device, unsigned* cores) {
  return OnlyFirst(device, cores, 6912U);
}
#endif
Return nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  constexpr unsigned long long kGibibyte = 1ULL << 30;
  const unsigned long long total = (IsFirst(device) ? 80 : 2) * kGibibyte;
  *memory = {
      .total_bytes = total, .free_bytes = total - kGibibyte, .used_bytes = kGibibyte};
  return kSuccess;
}
Return nvmlDeviceGetClockInfo(Device device, int domain, unsigned* mhz) {
  return OnlyFirst(device, mhz, domain == kClockSm ? 1095U : 1593U);
}
Return nvmlDeviceGetMaxClockInfo(Device device, int domain, unsigned* mhz) {
  return OnlyFirst(device, mhz, domain == kClockSm ? 1410U : 1593U);
}
Return nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  return OnlyFirst(device, milliwatts, 400'000U);
}
Return nvmlDeviceGetTemperature(Device /*device*/, int /*sensor*/, unsigned* celsius) {
  *celsius = 41;
  return kSuccess;
}
Return nvmlDeviceGetPersistenceMode(Device device, int* mode) {
  *mode = IsFirst(device) ? 1 : 0;
  return kSuccess;
}
Return nvmlDeviceGetComputeMode(Device device, int* mode) {
  *mode = IsFirst(device) ? 3 : 0;
  return kSuccess;
}
Return nvmlDeviceGetEccMode(Device device, int* current, int* pending) {
  *pending = 1;
  return OnlyFirst(device, current, 1);
}
Return nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  *pending = 0;
  return OnlyFirst(device, current, 0U);
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Device device,
                                                 unsigned long long* bits) {
  *bits = IsFirst(device) ? kApplicationsClocksSetting : kGpuIdle;
  return kSuccess;
}

}  // extern "C"
