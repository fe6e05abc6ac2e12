#include <algorithm>
#include <string>
#include <vector>

#include "hardware/machine.h"
#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

// In version 1, the largest multiple of a page means "no limit".
constexpr int64_t kNoMemoryLimit = int64_t{1} << 62;

// The mount point of a controller, and our path in it.
struct Group {
  std::string mount;
  std::string path;
};

// Lines of /proc/self/cgroup: "4:memory:/user/1000", and "0::/user.slice" for version 2.
std::optional<Group> FindGroup(std::string_view cgroups, std::string_view controller) {
  for (const std::string_view line : Lines(cgroups)) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string names =
        "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
    if (names.find("," + std::string(controller) + ",") == std::string::npos) continue;
    return Group{"/sys/fs/cgroup" + std::string(controller.empty() ? "" : "/") +
                     std::string(controller),
                 std::string(line.substr(second + 1))};
  }
  return std::nullopt;
}

// The group's directory and all its parents: a limit applies to everything below it.
// Inside a container the path may be the host's, which does not exist there; the
// container's own root does.
std::vector<std::string> DirectoriesUp(const Group& group) {
  std::vector<std::string> directories;
  std::string path = group.path;
  while (path.size() > 1) {
    directories.push_back(group.mount + path);
    path.resize(path.rfind('/'));
  }
  directories.push_back(group.mount);
  return directories;
}

std::optional<int64_t> ReadInteger(const SystemFiles& files, const std::string& path) {
  const auto line = files.ReadLine(path);
  return line ? ParseInteger(*line) : std::nullopt;
}

template <typename T>
void Tighten(std::optional<T>& limit, T other) {
  limit = limit ? std::min(*limit, other) : other;
}

void ReadMemoryLimit(const SystemFiles& files, const Group& group, const char* file,
                     Limits& limits) {
  for (const std::string& directory : DirectoriesUp(group)) {
    const auto bytes =
        ReadInteger(files, directory + "/" + file);  // "max" is not a number.
    if (bytes && *bytes < kNoMemoryLimit) Tighten(limits.cgroup_memory_bytes, *bytes);
  }
}

void AddCpuLimit(std::optional<int64_t> quota_us, std::optional<int64_t> period_us,
                 Limits& limits) {
  if (!quota_us || !period_us || *quota_us <= 0 || *period_us <= 0) return;
  Tighten(limits.cgroup_cpus,
          static_cast<double>(*quota_us) / static_cast<double>(*period_us));
}

// Version 2: cpu.max is "150000 100000" or "max 100000".
void ReadCpuMax(const SystemFiles& files, const Group& group, Limits& limits) {
  for (const std::string& directory : DirectoriesUp(group)) {
    const auto line = files.ReadLine(directory + "/cpu.max");
    if (!line) continue;
    const std::vector<std::string_view> words = Words(*line);
    if (words.size() == 2)
      AddCpuLimit(ParseInteger(words[0]), ParseInteger(words[1]), limits);
  }
}

// Version 1; a quota of -1 means none.
void ReadCpuQuota(const SystemFiles& files, const Group& group, Limits& limits) {
  for (const std::string& directory : DirectoriesUp(group)) {
    AddCpuLimit(ReadInteger(files, directory + "/cpu.cfs_quota_us"),
                ReadInteger(files, directory + "/cpu.cfs_period_us"), limits);
  }
}

}  // namespace

std::optional<ProcessLimit> ParseProcessLimit(std::string_view limits,
                                              std::string_view name) {
  for (const std::string_view line : Lines(limits)) {
    if (!line.starts_with(name)) continue;
    const std::vector<std::string_view> words = Words(line.substr(name.size()));
    if (words.empty()) return std::nullopt;
    if (words[0] == "unlimited") return ProcessLimit{};
    const auto number = ParseInteger(words[0]);
    if (!number) return std::nullopt;
    return ProcessLimit{number};
  }
  return std::nullopt;
}

Limits ReadLimits(const SystemFiles& files) {
  Limits limits;
  const std::string own = files.Read("/proc/self/limits").value_or("");
  limits.open_files = ParseProcessLimit(own, "Max open files");
  limits.locked_memory_bytes = ParseProcessLimit(own, "Max locked memory");

  const std::string cgroups = files.Read("/proc/self/cgroup").value_or("");
  if (const auto unified = FindGroup(cgroups, "")) {
    ReadMemoryLimit(files, *unified, "memory.max", limits);
    ReadCpuMax(files, *unified, limits);
  }
  if (const auto memory = FindGroup(cgroups, "memory")) {
    ReadMemoryLimit(files, *memory, "memory.limit_in_bytes", limits);
  }
  if (const auto cpu = FindGroup(cgroups, "cpu")) ReadCpuQuota(files, *cpu, limits);
  return limits;
}

}  // namespace ridgeline::hardware
