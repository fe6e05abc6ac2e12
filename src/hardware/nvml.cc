#include "hardware/nvml.h"

#include <dlfcn.h>

#include <initializer_list>
#include <utility>

namespace ridgeline::hardware::nvml {
namespace {

// The first of the names that the library exports: newest version first.
template <typename Call>
void Bind(void* handle, Call& call, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    call = reinterpret_cast<Call>(::dlsym(handle, name));
    if (call != nullptr) return;
  }
}

Calls BindAll(void* handle) {
  Calls calls;
  Bind(handle, calls.init, {"nvmlInit_v2", "nvmlInit"});
  Bind(handle, calls.shutdown, {"nvmlShutdown"});
  Bind(handle, calls.error_string, {"nvmlErrorString"});
  Bind(handle, calls.driver_version, {"nvmlSystemGetDriverVersion"});
  Bind(handle, calls.cuda_driver_version,
       {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
  Bind(handle, calls.device_count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  Bind(handle, calls.device_by_index,
       {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  Bind(handle, calls.name, {"nvmlDeviceGetName"});
  Bind(handle, calls.uuid, {"nvmlDeviceGetUUID"});
  // Older versions fill a smaller struct.
  Bind(handle, calls.pci_info, {"nvmlDeviceGetPciInfo_v3"});
  Bind(handle, calls.capability, {"nvmlDeviceGetCudaComputeCapability"});
  Bind(handle, calls.core_count, {"nvmlDeviceGetNumGpuCores"});
  Bind(handle, calls.memory, {"nvmlDeviceGetMemoryInfo"});
  Bind(handle, calls.clock, {"nvmlDeviceGetClockInfo"});
  Bind(handle, calls.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  Bind(handle, calls.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  Bind(handle, calls.temperature, {"nvmlDeviceGetTemperature"});
  Bind(handle, calls.persistence_mode, {"nvmlDeviceGetPersistenceMode"});
  Bind(handle, calls.compute_mode, {"nvmlDeviceGetComputeMode"});
  Bind(handle, calls.ecc_mode, {"nvmlDeviceGetEccMode"});
  Bind(handle, calls.mig_mode, {"nvmlDeviceGetMigMode"});
  Bind(handle, calls.throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons",
        "nvmlDeviceGetCurrentClocksThrottleReasons"});
  return calls;
}

}  // namespace

Result<Library> Library::Load(const std::string& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = ::dlerror();
    return Error(ErrorCode::kNotFound, reason != nullptr ? reason : library);
  }
  Library loaded(handle);
  loaded.calls_ = BindAll(handle);
  const Calls& calls = loaded.calls_;
  if (calls.init == nullptr || calls.device_count == nullptr ||
      calls.device_by_index == nullptr) {
    return Error(ErrorCode::kUnsupported, library + ": not a supported NVML library");
  }
  if (const Return failed = calls.init(); failed != kSuccess) {
    return Error(ErrorCode::kUnsupported, library + ": " + loaded.Describe(failed));
  }
  loaded.started_ = true;
  return loaded;
}

Library::Library(Library&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      started_(std::exchange(other.started_, false)),
      calls_(other.calls_) {}

Library::~Library() {
  if (started_ && calls_.shutdown != nullptr) calls_.shutdown();
  if (handle_ != nullptr) ::dlclose(handle_);
}

std::string Library::Describe(Return code) const {
  const char* const text =
      calls_.error_string != nullptr ? calls_.error_string(code) : nullptr;
  return text != nullptr ? text : "error " + std::to_string(code);
}

}  // namespace ridgeline::hardware::nvml
