#include "artifacts/environment.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::artifacts {
namespace {

using Json = nlohmann::ordered_json;

// The reason why something is missing; null if it is not.
Json Why(const std::string& why) { return why.empty() ? Json() : Json(why); }

Json LimitJson(const std::optional<hardware::ProcessLimit>& limit) {
  if (!limit) return {};
  return limit->value ? Json(*limit->value) : Json("unlimited");
}

Json MachineJson(const hardware::Machine& machine) {
  return {{"host", OrNull(machine.host)},
          {"kernel", OrNull(machine.kernel)},
          {"os", OrNull(machine.os)},
          {"architecture", OrNull(machine.architecture)},
          {"product", OrNull(machine.product)},
          {"virtual", OrNull(machine.is_virtual)},
          {"container", OrNull(machine.container)},
          {"boot_id", OrNull(machine.boot_id)}};
}

Json CpuJson(const hardware::Cpu& cpu) {
  return {{"model", OrNull(cpu.model)},
          {"sockets", OrNull(cpu.sockets)},
          {"cores", OrNull(cpu.cores)},
          {"threads", OrNull(cpu.threads)},
          {"threads_available", OrNull(cpu.threads_available)},
          {"governor", OrNull(cpu.governor)},
          {"has_counters", OrNull(cpu.has_counters)}};
}

Json LimitsJson(const hardware::Limits& limits) {
  return {{"open_files", LimitJson(limits.open_files)},
          {"locked_memory_bytes", LimitJson(limits.locked_memory_bytes)},
          {"cgroup_memory_bytes", OrNull(limits.cgroup_memory_bytes)},
          {"cgroup_cpus", OrNull(limits.cgroup_cpus)}};
}

Json PermissionsJson(const hardware::Permissions& permissions) {
  return {{"root", OrNull(permissions.is_root)},
          {"cap_sys_admin", OrNull(permissions.cap_sys_admin)},
          {"cap_perfmon", OrNull(permissions.cap_perfmon)},
          {"perf_event_paranoid", OrNull(permissions.perf_event_paranoid)},
          {"ptrace_scope", OrNull(permissions.ptrace_scope)},
          {"gpu_counters_admin_only", OrNull(permissions.gpu_counters_admin_only)}};
}

Json GpuJson(const hardware::Gpu& gpu) {
  const auto pci_id = [](const std::optional<uint32_t>& id) {
    return id ? Json(fmt::format("0x{:08X}", *id)) : Json();
  };
  const Json capability = gpu.capability ? Json(ToText(*gpu.capability)) : Json();
  return {{"index", gpu.index},
          {"name", OrNull(gpu.name)},
          {"uuid", OrNull(gpu.uuid)},
          {"pci_bus_id", OrNull(gpu.pci_bus_id)},
          {"pci_device_id", pci_id(gpu.pci_device_id)},
          {"pci_subsystem_id", pci_id(gpu.pci_subsystem_id)},
          {"compute_capability", capability},
          {"core_count", OrNull(gpu.core_count)},
          {"sm_count", OrNull(gpu.sm_count)},
          {"memory_total_bytes", OrNull(gpu.memory_total_bytes)},
          {"memory_used_bytes", OrNull(gpu.memory_used_bytes)},
          {"sm_clock_hz", OrNull(gpu.sm_clock_hz)},
          {"sm_clock_max_hz", OrNull(gpu.sm_clock_max_hz)},
          {"memory_clock_hz", OrNull(gpu.memory_clock_hz)},
          {"memory_clock_max_hz", OrNull(gpu.memory_clock_max_hz)},
          {"clocks_locked", OrNull(gpu.ClocksAreSet())},
          {"throttle_reasons", OrNull(gpu.throttle_reasons)},
          {"power_limit_w", OrNull(gpu.power_limit_w)},
          {"temperature_celsius", OrNull(gpu.temperature_celsius)},
          {"persistence_mode", OrNull(gpu.persistence_mode)},
          {"compute_mode", OrNull(gpu.compute_mode)},
          {"ecc", OrNull(gpu.ecc)},
          {"mig", OrNull(gpu.mig)}};
}

Json GpusJson(const hardware::GpuSurvey& survey) {
  Json devices = Json::array();
  for (const hardware::Gpu& gpu : survey.gpus) devices.push_back(GpuJson(gpu));
  return {{"driver_version", OrNull(survey.driver_version)},
          {"cuda_driver_version", OrNull(survey.cuda_driver_version)},
          {"devices", std::move(devices)},
          {"reason", Why(survey.reason)}};
}

Json ToolsJson(const hardware::Tools& tools) {
  Json json = Json::object();
  for (const hardware::Tool& tool : tools.all) {
    json[tool.name] = {{"path", tool.path ? Json(tool.path->string()) : Json()},
                       {"version", OrNull(tool.version)},
                       {"reason", Why(tool.reason)}};
  }
  return json;
}

Json GitJson(const GitState& git) {
  if (!git.known()) {
    return {{"commit", nullptr},          {"branch", nullptr},
            {"dirty", nullptr},           {"changed_files", nullptr},
            {"untracked_files", nullptr}, {"reason", git.reason}};
  }
  return {{"commit", OrNull(git.commit)},
          {"branch", OrNull(git.branch)},
          {"dirty", git.dirty()},
          {"changed_files", git.changed_files},
          {"untracked_files", git.untracked_files},
          {"reason", nullptr}};
}

}  // namespace

std::string EnvironmentJson(const Provenance& provenance) {
  const Json json = {
      {"schema_version", kEnvironmentVersion},
      {"ridgeline_version", provenance.ridgeline_version},
      {"time", provenance.time},
      {"machine", MachineJson(provenance.machine)},
      {"cpu", CpuJson(provenance.machine.cpu)},
      {"memory",
       {{"total_bytes", OrNull(provenance.machine.memory.total_bytes)},
        {"available_bytes", OrNull(provenance.machine.memory.available_bytes)}}},
      {"limits", LimitsJson(provenance.limits)},
      {"permissions", PermissionsJson(provenance.permissions)},
      {"gpus", GpusJson(provenance.gpus)},
      {"tools", ToolsJson(provenance.tools)},
      {"libtorch",
       {{"version", OrNull(provenance.libtorch.version)},
        {"reason", Why(provenance.libtorch.reason)}}},
      {"git", GitJson(provenance.git)},
      {"environment",
       {{"variables", provenance.variables.kept},
        {"dropped", provenance.variables.left_out}}},
  };
  // A variable or a branch name may be any bytes; JSON is UTF-8.
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::artifacts
