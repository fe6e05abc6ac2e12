#include "hardware/machine.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

std::optional<std::string> Text(std::optional<std::string_view> field) {
  if (!field || field->empty()) return std::nullopt;
  return std::string(*field);
}

// "24682416 kB", where kB is 1024 bytes.
std::optional<int64_t> Bytes(std::optional<std::string_view> field) {
  if (!field || !field->ends_with(" kB")) return std::nullopt;
  const auto kibibytes = ParseInteger(Trimmed(field->substr(0, field->size() - 3)));
  if (!kibibytes) return std::nullopt;
  return *kibibytes * 1024;
}

// The paragraphs of /proc/cpuinfo, one per online thread.
std::vector<std::string_view> Threads(std::string_view cpuinfo) {
  std::vector<std::string_view> threads;
  while (!cpuinfo.empty()) {
    const size_t end = cpuinfo.find("\n\n");
    const std::string_view paragraph = cpuinfo.substr(0, end);
    if (Field(paragraph, "processor")) threads.push_back(paragraph);
    cpuinfo.remove_prefix(end == std::string_view::npos ? cpuinfo.size() : end + 2);
  }
  return threads;
}

std::optional<std::string> ContainerKind(const SystemFiles& files) {
  if (const auto told = files.ReadLine("/run/systemd/container")) return told;
  constexpr std::pair<const char*, const char*> kMarks[] = {
      {"/.dockerenv", "docker"},
      {"/run/.containerenv", "podman"},
      {"/.singularity.d", "apptainer"},
  };
  for (const auto& [mark, kind] : kMarks) {
    if (files.Exists(mark)) return kind;
  }
  return std::nullopt;
}

std::optional<std::string> Product(const SystemFiles& files) {
  const auto vendor = files.ReadLine("/sys/class/dmi/id/sys_vendor");
  const auto name = files.ReadLine("/sys/class/dmi/id/product_name");
  if (vendor && name) return *vendor + " " + *name;
  return vendor ? vendor : name;
}

// The kernel lists its event sources: "cpu" (x86), "cpu_core" (hybrid CPUs),
// "armv8_pmuv3_0", and those of every machine, such as "software".
std::optional<bool> HasCounters(const SystemFiles& files) {
  const std::vector<std::string> sources = files.List("/sys/bus/event_source/devices");
  if (sources.empty()) return std::nullopt;
  return std::ranges::any_of(sources, [](const std::string& name) {
    return name.starts_with("cpu") || name.starts_with("armv");
  });
}

// Kernels before 6.1 have no file for it; since this program runs, it is the architecture
// it was built for.
std::optional<std::string> Architecture(const SystemFiles& files) {
  if (auto told = files.ReadLine("/proc/sys/kernel/arch")) return told;
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return std::nullopt;
#endif
}

}  // namespace

Cpu ParseCpuInfo(std::string_view cpuinfo) {
  Cpu cpu;
  const std::vector<std::string_view> threads = Threads(cpuinfo);
  if (threads.empty()) return cpu;
  cpu.threads = static_cast<int>(threads.size());
  cpu.model = Text(Field(threads.front(), "model name"));
  std::set<std::string_view> sockets;
  std::set<std::pair<std::string_view, std::string_view>> cores;
  for (const std::string_view thread : threads) {
    const auto socket = Field(thread, "physical id");
    const auto core = Field(thread, "core id");
    if (!socket || !core) return cpu;
    sockets.insert(*socket);
    cores.insert({*socket, *core});
  }
  cpu.sockets = static_cast<int>(sockets.size());
  cpu.cores = static_cast<int>(cores.size());
  return cpu;
}

std::optional<bool> ShowsHypervisor(std::string_view cpuinfo) {
  const auto flags = Field(cpuinfo, "flags");
  if (!flags) return std::nullopt;
  for (const std::string_view flag : Words(*flags)) {
    if (flag == "hypervisor") return true;
  }
  return false;
}

Memory ParseMemInfo(std::string_view meminfo) {
  return {.total_bytes = Bytes(Field(meminfo, "MemTotal")),
          .available_bytes = Bytes(Field(meminfo, "MemAvailable"))};
}

std::optional<std::string> ParseOsName(std::string_view os_release) {
  auto name = Field(os_release, "PRETTY_NAME", '=');
  if (!name) return std::nullopt;
  const bool quoted =
      name->size() >= 2 && (name->front() == '"' || name->front() == '\'');
  if (quoted && name->back() == name->front()) name = name->substr(1, name->size() - 2);
  return Text(name);
}

Machine ReadMachine(const SystemFiles& files) {
  const std::string cpuinfo = files.Read("/proc/cpuinfo").value_or("");
  const std::string status = files.Read("/proc/self/status").value_or("");
  Machine machine;
  machine.host = files.ReadLine("/proc/sys/kernel/hostname");
  machine.kernel = files.ReadLine("/proc/sys/kernel/osrelease");
  machine.os = ParseOsName(files.Read("/etc/os-release").value_or(""));
  machine.architecture = Architecture(files);
  machine.boot_id = files.ReadLine("/proc/sys/kernel/random/boot_id");
  machine.container = ContainerKind(files);
  machine.is_virtual = ShowsHypervisor(cpuinfo);
  machine.product = Product(files);
  machine.cpu = ParseCpuInfo(cpuinfo);
  machine.cpu.governor =
      files.ReadLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  machine.cpu.has_counters = HasCounters(files);
  if (const auto allowed = Field(status, "Cpus_allowed_list")) {
    machine.cpu.threads_available = CountList(*allowed);
  }
  machine.memory = ParseMemInfo(files.Read("/proc/meminfo").value_or(""));
  return machine;
}

}  // namespace ridgeline::hardware
