#include "hardware/permissions.h"

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

// linux/capability.h; CAP_PERFMON is newer than some of the headers we build with.
constexpr int kCapSysAdmin = 21;
constexpr int kCapPerfmon = 38;

// 3 (a Debian and Ubuntu setting) and 4 deny sampling to unprivileged users entirely.
constexpr int kHighestParanoidForSampling = 2;

std::optional<int> ReadNumber(const SystemFiles& files, std::string_view path) {
  const auto line = files.ReadLine(path);
  const auto number = line ? ParseInteger(*line) : std::nullopt;
  if (!number) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

Permissions ParseProcessStatus(std::string_view status) {
  Permissions permissions;
  // Real, effective, saved and file system user: "Uid:	1000	1000	1000	1000".
  const std::vector<std::string_view> users = Words(Field(status, "Uid").value_or(""));
  if (users.size() >= 2) permissions.is_root = users[1] == "0";
  const auto effective = Field(status, "CapEff");
  const auto bits = effective ? ParseInteger(*effective, 16) : std::nullopt;
  if (bits) {
    permissions.cap_sys_admin = ((*bits >> kCapSysAdmin) & 1) != 0;
    permissions.cap_perfmon = ((*bits >> kCapPerfmon) & 1) != 0;
  }
  return permissions;
}

std::optional<bool> ParseCountersAdminOnly(std::string_view nvidia_params) {
  const auto value = Field(nvidia_params, "RmProfilingAdminOnly");
  if (!value) return std::nullopt;
  return *value != "0";
}

Permissions ReadPermissions(const SystemFiles& files) {
  Permissions permissions =
      ParseProcessStatus(files.Read("/proc/self/status").value_or(""));
  permissions.perf_event_paranoid =
      ReadNumber(files, "/proc/sys/kernel/perf_event_paranoid");
  permissions.ptrace_scope = ReadNumber(files, "/proc/sys/kernel/yama/ptrace_scope");
  permissions.gpu_counters_admin_only =
      ParseCountersAdminOnly(files.Read("/proc/driver/nvidia/params").value_or(""));
  return permissions;
}

std::optional<bool> MaySampleCpu(const Permissions& permissions) {
  if (!permissions.perf_event_paranoid) return std::nullopt;
  return *permissions.perf_event_paranoid <= kHighestParanoidForSampling ||
         permissions.cap_sys_admin.value_or(false) ||
         permissions.cap_perfmon.value_or(false);
}

std::optional<bool> MayReadGpuCounters(const Permissions& permissions) {
  if (!permissions.gpu_counters_admin_only) return std::nullopt;
  return !*permissions.gpu_counters_admin_only ||
         permissions.cap_sys_admin.value_or(permissions.is_root.value_or(false));
}

}  // namespace ridgeline::hardware
