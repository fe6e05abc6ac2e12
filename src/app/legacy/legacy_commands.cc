#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/hydra/hydra_flags.h"
#include "app/registry.h"
#include "app/run/run_options.h"
#include "config/overrides/override_parser.h"
#include "config/tree/assign.h"
#include "config/value/python_text.h"
#include "pipeline/adapt_tree.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {
namespace {

constexpr std::string_view kPageReader = "llm_profile_runner";
constexpr std::string_view kProfiler = "torch_profiler";

struct OldRunner {
  std::string_view name;
  std::vector<std::string_view> on;             // Stages; empty: as configured.
  std::vector<std::string_view> as_configured;  // Stages left to the tree.
};

const std::vector<OldRunner>& OldRunners() {
  static const std::vector<OldRunner> runners = {
      {kPageReader, {kProfiler}, {"static_analysis"}},
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

// Adds "key=value" for each value below a mapping.
void AddSettings(const std::string& key, const config::ParsedValue& value,
                 std::vector<std::string>& settings) {
  if (const auto* mapping = value.As<config::ParsedDict>()) {
    for (const auto& [name, child] : *mapping) {
      AddSettings(key + "." + config::Str(config::Value(name)), child, settings);
    }
    return;
  }
  if (const bool* const is_on = value.AsScalar<bool>()) {
    settings.push_back(key + (*is_on ? "=true" : "=false"));
    return;
  }
  const config::Result<std::string> text = config::RenderElement(value);
  if (text.ok()) settings.push_back(key + "=" + text.value());
}

// What an argument sets, as "key=value" without a sign; "~key" is "key=". Mappings are
// several: pipeline.ncu={enable: false}. Empty for flags.
std::vector<std::string> SettingsOf(const std::string& argument) {
  if (argument.starts_with('-')) return {};
  const auto parsed = config::ParseOverride(argument);
  if (!parsed.ok()) return {};
  const config::Override& given = parsed.value();
  const std::string key =
      given.key_or_group + (given.package ? "@" + *given.package : std::string());
  if (given.type == config::OverrideType::kDelete) return {key + "="};
  std::vector<std::string> settings;
  AddSettings(key, given.value, settings);
  // A sweep.
  if (settings.empty()) settings.push_back(key + "=?");
  return settings;
}

// The value of a key, "a.b=", in the user's arguments, under any name of the key; "" if
// it is deleted; nullopt: none.
std::optional<std::string> GivenValue(std::string_view key,
                                      std::span<const std::string> arguments) {
  std::vector<std::string> settings;
  for (const std::string& argument : arguments) {
    for (std::string& setting : SettingsOf(argument)) {
      settings.push_back(std::move(setting));
    }
  }
  std::optional<std::string> given;
  for (const std::string& now : pipeline::RewriteLegacyOverrides(settings).overrides) {
    if (now.starts_with(key)) given = now.substr(key.size());
  }
  return given;
}

// The switch of a stage: "true", "false" or anything else.
std::optional<std::string> GivenToggle(std::string_view stage,
                                       std::span<const std::string> arguments) {
  return GivenValue(ToggleKey(stage), arguments);
}

constexpr std::string_view kRecorderKey = "pipeline.torch_profiler.enabled=";

// "conf/config.yaml:9:3", where a file of the user's tree has
// pipeline.torch_profiler.enable: false; empty: none has.
std::string WhereRecorderIsOff(std::span<const std::string> arguments) {
  std::vector<Flag> flags(HydraFlags().begin(), HydraFlags().end());
  flags.insert(flags.end(), RunFlags().begin(), RunFlags().end());
  const Result<ParsedFlags> parsed = ParseFlags(flags, arguments);
  if (!parsed.ok()) return "";
  const Result<HydraOptions> options = HydraOptionsOf(parsed.value());
  if (!options.ok() || options.value().UsesOwnTree()) return "";
  std::ostream nowhere(nullptr);  // The run prints the errors.
  const auto composed = ComposeFor(options.value(), {nowhere, nowhere});
  if (!composed.ok()) return "";
  const config::Node* node = composed.value()->composition.root;
  for (const char* key : {"pipeline", "torch_profiler", "enable"}) {
    if (!node->is_dict() || node->special) return "";
    node = config::FindNode(*node, std::string(key));
    if (node == nullptr) return "";
  }
  const bool is_off = config::PythonEqual(node->value, config::Value(false));
  return is_off && node->origin.line > 0 ? node->origin.ToString() : "";
}

// llm_profile_runner always read the pages: `enable` switched its recorder. The overrides
// for that, to add after the user's argument; empty: not such an argument, or a mistake,
// which is reported under the key that the user typed.
std::vector<std::string> RecorderOverrides(const OldRunner& runner,
                                           const std::string& argument) {
  if (runner.name != kPageReader) return {};
  const std::optional<std::string> given =
      GivenToggle(kProfiler, std::span(&argument, 1));
  if (!given || (*given != "true" && *given != "false" && !given->starts_with("${"))) {
    return {};
  }
  return {ToggleKey(kProfiler) + "true", fmt::format("{}{}", kRecorderKey, *given)};
}

bool SetsOneKey(const std::string& argument) {
  const auto parsed = config::ParseOverride(argument);
  return parsed.ok() && parsed.value().value.As<config::ParsedDict>() == nullptr;
}

struct RunnerStages {
  std::vector<std::string> toggles;  // Overrides to add to the user's.
  std::vector<std::string> names;    // Of the stages that run.
};

// A stage whose switch the user deleted has its default.
std::string DefaultToggle(std::string_view stage) {
  const std::vector<pipeline::KeyGroup> groups = KeyGroups();
  const pipeline::ConfigKey* const key =
      pipeline::FindKey(groups, fmt::format("pipeline.{}.enable", stage));
  return key == nullptr ? "" : std::string(key->otherwise);
}

RunnerStages StagesOf(const OldRunner& runner, std::span<const std::string> meant) {
  RunnerStages stages;
  if (runner.on.empty()) return stages;
  for (const pipeline::StageEntry& stage : Stages()) {
    const std::optional<std::string> given = GivenToggle(stage.name, meant);
    const bool is_on = Contains(runner.on, stage.name);
    const bool is_default =
        given && given->empty() && DefaultToggle(stage.name) != "false";
    if (is_default || (!given && Contains(runner.as_configured, stage.name))) {
      stages.names.push_back(fmt::format("{} (as configured)", stage.name));
    } else if (given) {
      if (*given == "true") stages.names.emplace_back(stage.name);
    } else {
      stages.toggles.push_back(fmt::format("{}{}", ToggleKey(stage.name), is_on));
      if (is_on) stages.names.emplace_back(stage.name);
    }
  }
  if (stages.names.empty()) stages.names.emplace_back("no stage");
  return stages;
}

// The command to type instead, with "ARGS" for the user's arguments.
std::string Notice(const OldRunner& runner, const RunnerStages& stages,
                   const std::vector<std::string>& after, bool has_arguments) {
  std::vector<std::string> command = {"ridgeline", "run"};
  command.insert(command.end(), stages.toggles.begin(), stages.toggles.end());
  if (has_arguments) command.emplace_back("ARGS");
  command.insert(command.end(), after.begin(), after.end());
  return fmt::format(
      "{} is deprecated; it runs {}: type `{}`{}", runner.name,
      runner.on.empty() ? "the stages that the configuration enables"
                        : fmt::format("{}", fmt::join(stages.names, " and ")),
      fmt::join(command, " "), has_arguments ? " (ARGS: your arguments)" : "");
}

OldCommand ReadOldRunner(const OldRunner& runner,
                         std::span<const std::string> arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const std::vector<std::string> given(arguments.begin(), end);
  std::vector<std::string> meant;
  std::vector<std::string> after;  // What has the same effect after the user's arguments.
  for (const std::string& argument : given) {
    std::vector<std::string> recorder = RecorderOverrides(runner, argument);
    // A mapping sets other keys, too. The first override is a toggle of the runner.
    const bool replaces = !recorder.empty() && SetsOneKey(argument);
    if (!replaces) meant.push_back(argument);
    meant.insert(meant.end(), recorder.begin() + (replaces ? 1 : 0), recorder.end());
    if (!recorder.empty()) after = std::move(recorder);
  }
  std::string where;
  if (runner.name == kPageReader && !GivenToggle(kProfiler, meant) &&
      !GivenValue(kRecorderKey, meant)) {
    where = WhereRecorderIsOff(given);
  }
  if (!where.empty()) {
    after = {fmt::format("{}false", kRecorderKey)};
    meant.push_back(after.front());
  }
  const RunnerStages stages = StagesOf(runner, meant);
  const bool is_quiet = std::any_of(given.begin(), given.end(), [](const auto& argument) {
    return argument == "-q" || argument == "--quiet";
  });
  std::vector<std::string> all = stages.toggles;
  all.insert(all.end(), meant.begin(), meant.end());
  all.insert(all.end(), end, arguments.end());
  std::string notice = Notice(runner, stages, after, !arguments.empty());
  if (!where.empty()) {
    notice += fmt::format(
        "; pages are read without the profiler: pipeline.torch_profiler.enable is false "
        "({})",
        where);
  }
  return {std::move(all), is_quiet ? "" : std::move(notice), RunCommand};
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
    if (name == runner.name) return ReadOldRunner(runner, arguments);
  }
  return std::nullopt;
}

}  // namespace ridgeline::app
