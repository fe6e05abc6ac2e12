#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/registry.h"

namespace ridgeline::app {
namespace {

constexpr std::string_view kRecorder = "pipeline.torch_profiler.enable=";

struct OldRunner {
  std::string_view name;
  std::vector<std::string_view> on;  // Stages; empty: as configured.
};

const std::vector<OldRunner>& OldRunners() {
  static const std::vector<OldRunner> runners = {
      {"llm_profile_runner", {"static_analysis", "torch_profiler"}},
      {"deep_profile_runner", {"nsys", "ncu"}},
      {"direct_inference_runner", {"direct_inference"}},
      {"profile_orchestrator", {}},
  };
  return runners;
}

// bin/llm_profile_runner.py -> llm_profile_runner
std::string_view NameOf(std::string_view program) {
  std::string_view name = program.substr(program.find_last_of('/') + 1);
  for (std::string_view ending : {".py", ".sh"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return name;
}

std::string Toggle(std::string_view stage, bool on) {
  return fmt::format("pipeline.{}.enable={}", stage, on);
}

bool Contains(std::span<const std::string> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Stages enabled by a runner, unless overridden by the user.
std::vector<std::string> Toggles(const OldRunner& runner,
                                 std::span<const std::string> arguments) {
  std::vector<std::string> toggles;
  if (runner.on.empty()) return toggles;
  for (const pipeline::StageEntry& stage : Stages()) {
    bool on =
        std::find(runner.on.begin(), runner.on.end(), stage.name) != runner.on.end();
    if (Contains(arguments, Toggle(stage.name, !on))) on = !on;
    toggles.push_back(Toggle(stage.name, on));
  }
  return toggles;
}

// llm_profile_runner always read the pages: `enable` switched its recorder.
std::string Meant(const OldRunner& runner, const std::string& argument) {
  const bool is_recorder = runner.name == "llm_profile_runner" &&
                           std::string_view(argument).starts_with(kRecorder);
  if (!is_recorder) return argument;
  return "pipeline.torch_profiler.enabled=" + argument.substr(kRecorder.size());
}

// "static_analysis and torch_profiler"
std::string Names(const std::vector<std::string>& toggles) {
  if (toggles.empty()) return "the stages that the configuration enables";
  std::vector<std::string_view> on;
  for (const pipeline::StageEntry& stage : Stages()) {
    if (Contains(toggles, Toggle(stage.name, true))) on.push_back(stage.name);
  }
  return on.empty() ? "no stage" : fmt::format("{}", fmt::join(on, " and "));
}

}  // namespace

std::optional<OldCommand> ReadOldCommand(std::string_view program,
                                         std::span<const std::string> arguments) {
  const std::string_view name = NameOf(program);
  if (name == "ncu-profile-kernels") {
    return OldCommand{
        {arguments.begin(), arguments.end()},
        "ncu-profile-kernels is deprecated; type `ridgeline ncu-kernels` with the same "
        "flags",
        NcuKernelsCommand};
  }
  for (const OldRunner& runner : OldRunners()) {
    if (name != runner.name) continue;
    std::vector<std::string> meant;
    for (const std::string& argument : arguments) {
      meant.push_back(Meant(runner, argument));
    }
    std::vector<std::string> all = Toggles(runner, meant);
    const std::string stages = Names(all);
    const std::string now = fmt::format("{}", fmt::join(all, " "));
    all.insert(all.end(), meant.begin(), meant.end());
    return OldCommand{
        std::move(all),
        fmt::format("{} is deprecated; it runs {}: type `ridgeline run{}{}`", name,
                    stages, now.empty() ? "" : " ", now),
        RunCommand};
  }
  return std::nullopt;
}

}  // namespace ridgeline::app
