#include "hardware/tools.h"

#include <algorithm>
#include <future>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

// The slowest genuine reply seen took a second, from a cold network disk.
constexpr double kTimeoutS = 20;

struct ToolSpec {
  const char* name;
  const char* argument;  // Prints the version.
  // The text before the version in its output.
  const char* before_version;
  const char* or_before_version = nullptr;  // In other builds.
};

constexpr ToolSpec kTools[] = {
    // NVIDIA Nsight Systems version 2022.4.2.1-df9881f
    {"nsys", "--version", "Nsight Systems version "},
    // Version 2022.3.0.0 (build 31729285) (public-release)
    {"ncu", "--version", "Version "},
    // git version 2.39.5
    {"git", "--version", "git version "},
    // NVIDIA System Management Interface -- v535.161.08
    // (--version is recent; older ones fail on it.)
    {"nvidia-smi", "--help", "System Management Interface -- v"},
    // slurm 22.05.8; Debian: slurm-wlm 22.05.8
    {"sbatch", "--version", "slurm ", "slurm-wlm "},
};

std::string FirstLine(std::string_view text) {
  for (const std::string_view line : Lines(text)) {
    if (!Trimmed(line).empty()) return std::string(Trimmed(line));
  }
  return "no output";
}

void AskVersion(os::ProcessRunner& processes, const ToolSpec& spec, Tool& tool) {
  const os::Command command = {.argv = {tool.path->string(), spec.argument},
                               .environment = {{"LC_ALL", "C"}}};
  const Result<os::ProcessResult> ran =
      processes.Run(command, {.timeout_s = kTimeoutS, .grace_s = 1});
  if (!ran.ok()) {
    tool.reason = ran.error().message();
    return;
  }
  if (!ran.value().ok()) {
    tool.reason = std::string(spec.argument) + ": " + os::Describe(ran.value()) + ": " +
                  FirstLine(ran.value().output);
    return;
  }
  tool.version = ParseToolVersion(spec.name, ran.value().output);
  if (tool.version) tool.version_numbers = VersionNumbers(*tool.version);
}

bool IsAsked(const ToolSpec& spec, const ToolSearch& search) {
  return !search.ask || search.ask->contains(spec.name);
}

Tool Probe(os::ProcessRunner& processes, const ToolSpec& spec, const ToolSearch& search) {
  Tool tool = {.name = spec.name};
  Result<std::filesystem::path> found = search.find(spec.name);
  if (!found.ok()) {
    tool.reason = found.error().message();
    tool.elsewhere = FindOutsideOfPath(spec.name, search.files);
    return tool;
  }
  tool.path = std::move(found).value();
  if (!IsAsked(spec, search)) {
    tool.reason = "version not queried: no enabled stage uses it";
    return tool;
  }
  AskVersion(processes, spec, tool);
  return tool;
}

}  // namespace

const Tool* Tools::Find(std::string_view name) const {
  for (const Tool& tool : all) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::vector<std::string> ToolNames() {
  std::vector<std::string> names;
  for (const ToolSpec& spec : kTools) names.emplace_back(spec.name);
  return names;
}

std::optional<std::string> ParseToolVersion(std::string_view tool,
                                            std::string_view output) {
  for (const ToolSpec& spec : kTools) {
    if (tool != spec.name) continue;
    for (const char* before : {spec.before_version, spec.or_before_version}) {
      if (before == nullptr) continue;
      const std::string_view mark = before;
      for (const std::string_view line : Lines(output)) {
        const size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        const std::vector<std::string_view> words = Words(line.substr(at + mark.size()));
        if (!words.empty()) return std::string(words.front());
      }
    }
  }
  return std::nullopt;
}

std::vector<int> VersionNumbers(std::string_view version) {
  std::vector<int> numbers;
  while (true) {
    const size_t end = std::min(version.find_first_not_of("0123456789"), version.size());
    const auto number = ParseInteger(version.substr(0, end));
    if (!number) return numbers;
    numbers.push_back(static_cast<int>(*number));
    if (end == version.size() || version[end] != '.') return numbers;
    version.remove_prefix(end + 1);
  }
}

Tools ProbeTools(os::ProcessRunner& processes, const ToolSearch& search) {
  std::vector<std::future<Tool>> probes;
  for (const ToolSpec& spec : kTools) {
    // No thread if there is nothing to wait for, or if none can be started.
    probes.push_back(std::async(
        IsAsked(spec, search) ? std::launch::async | std::launch::deferred
                              : std::launch::deferred,
        [&processes, &spec, &search] { return Probe(processes, spec, search); }));
  }
  Tools tools;
  for (std::future<Tool>& probe : probes) tools.all.push_back(probe.get());
  const Tool* const nsys = tools.Find("nsys");
  if (nsys->path) tools.nsys_importer = FindNsysImporter(*nsys->path, search.files);
  return tools;
}

}  // namespace ridgeline::hardware
