#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/registry.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {
namespace {

constexpr std::string_view kRecorder = "pipeline.torch_profiler.enable=";

struct OldRunner {
  std::string_view name;
  std::vector<std::string_view> on;             // Stages; empty: as configured.
  std::vector<std::string_view> as_configured;  // Stages left to the tree.
};

const std::vector<OldRunner>& OldRunners() {
  static const std::vector<OldRunner> runners = {
      {"llm_profile_runner", {"torch_profiler"}, {"static_analysis"}},
      {"deep_profile_runner", {"nsys", "ncu"}, {}},
      {"direct_inference_runner", {"direct_inference"}, {}},
      {"profile_orchestrator", {}, {}},
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

std::string ToggleKey(std::string_view stage) {
  return fmt::format("pipeline.{}.enable=", stage);
}

bool Contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// An argument under the current name of its key. llm_profile_runner always read the
// pages: `enable` switched its recorder.
std::string Meant(const OldRunner& runner, const std::string& argument) {
  const std::vector<std::string> now =
      pipeline::RewriteLegacyOverrides({argument}).overrides;
  const bool is_recorder = runner.name == "llm_profile_runner" && now.size() == 1 &&
                           now[0].starts_with(kRecorder);
  if (!is_recorder) return argument;
  return "pipeline.torch_profiler.enabled=" + now[0].substr(kRecorder.size());
}

// The switch of a stage among the user's arguments, under any name of its key; empty:
// none.
std::string GivenToggle(std::string_view stage, const std::vector<std::string>& meant) {
  std::string given;
  for (const std::string& now : pipeline::RewriteLegacyOverrides(meant).overrides) {
    if (now.starts_with(ToggleKey(stage))) given = now;
  }
  return given;
}

struct RunnerStages {
  std::vector<std::string> toggles;  // Overrides to add to the user's.
  std::vector<std::string> names;    // Of the stages that run.
};

RunnerStages StagesOf(const OldRunner& runner, const std::vector<std::string>& meant) {
  RunnerStages stages;
  if (runner.on.empty()) return stages;
  for (const pipeline::StageEntry& stage : Stages()) {
    const std::string given = GivenToggle(stage.name, meant);
    const bool is_on = Contains(runner.on, stage.name);
    if (!given.empty()) {
      if (given == ToggleKey(stage.name) + "true") stages.names.emplace_back(stage.name);
    } else if (Contains(runner.as_configured, stage.name)) {
      stages.names.push_back(fmt::format("{} (as configured)", stage.name));
    } else {
      stages.toggles.push_back(fmt::format("{}{}", ToggleKey(stage.name), is_on));
      if (is_on) stages.names.emplace_back(stage.name);
    }
  }
  if (stages.names.empty()) stages.names.emplace_back("no stage");
  return stages;
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
    std::vector<std::string> changed;
    for (const std::string& argument : arguments) {
      meant.push_back(Meant(runner, argument));
      if (meant.back() != argument) changed.push_back(meant.back());
    }
    const RunnerStages stages = StagesOf(runner, meant);
    std::vector<std::string> all = stages.toggles;
    all.insert(all.end(), changed.begin(), changed.end());
    const std::string now = fmt::format("{}", fmt::join(all, " "));
    all = stages.toggles;
    all.insert(all.end(), meant.begin(), meant.end());
    return OldCommand{
        std::move(all),
        fmt::format("{} is deprecated; it runs {}: type `ridgeline run{}{}`", name,
                    runner.on.empty()
                        ? "the stages that the configuration enables"
                        : fmt::format("{}", fmt::join(stages.names, " and ")),
                    now.empty() ? "" : " ", now),
        RunCommand};
  }
  return std::nullopt;
}

}  // namespace ridgeline::app
