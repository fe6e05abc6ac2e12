// Which operations needed by profilers we are permitted.
#pragma once

#include <optional>
#include <string_view>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

struct Permissions {
  // kernel.perf_event_paranoid: above 2, only privileged users may sample. Empty: the
  // kernel has no performance events.
  std::optional<int> perf_event_paranoid;
  // RmProfilingAdminOnly of the NVIDIA driver: GPU counters for administrators only.
  // Empty: no driver.
  std::optional<bool> gpu_counters_admin_only;
  // kernel.yama.ptrace_scope; empty: no such restriction.
  std::optional<int> ptrace_scope;
  // Of this process.
  std::optional<bool> is_root;
  std::optional<bool> cap_sys_admin;
  std::optional<bool> cap_perfmon;
};

// Takes is_root and the capabilities from /proc/self/status.
Permissions ParseProcessStatus(std::string_view status);

// From /proc/driver/nvidia/params.
std::optional<bool> ParseCountersAdminOnly(std::string_view nvidia_params);

Permissions ReadPermissions(const SystemFiles& files = SystemFiles());

// Whether CPU sampling is allowed; empty if unknown. nsys requires 2.
std::optional<bool> MaySampleCpu(const Permissions& permissions);

// Whether GPU counters can be read; empty without a driver. The driver requires
// CAP_SYS_ADMIN, which root in a container usually lacks.
std::optional<bool> MayReadGpuCounters(const Permissions& permissions);

}  // namespace ridgeline::hardware
