#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/compose_here.h"
#include "app/flags.h"
#include "app/override_json.h"
#include "base/json.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "os/clock.h"

namespace ridgeline::app {
namespace {

using Json = nlohmann::ordered_json;

// Of the JSON printed by these commands.
constexpr int kConfigSchemaVersion = 1;

std::span<const Flag> ComposeFlags() {
  static const std::vector<Flag> flags = {
      {"--config-dir", "-cd", Flag::Takes::kValue, "DIR",
       "configuration directory to compose (required)"},
      {"--config-name", "-cn", Flag::Takes::kValue, "NAME",
       "primary config (default: config)"},
      {"--job-name", "", Flag::Takes::kValue, "NAME", "hydra.job.name (default: app)"},
      {"--cwd", "", Flag::Takes::kValue, "DIR",
       "hydra.runtime.cwd (default: the current directory)"},
      {"--now", "", Flag::Takes::kValue, "TIME",
       "time of ${now:}, e.g. 2024-03-05T14:07:09"},
      {"--resolve", "", Flag::Takes::kNothing, "", "resolve interpolations"},
      {"--json", "", Flag::Takes::kNothing, "",
       "print JSON, including defaults and choices"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintConfigUsage(std::ostream& out) {
  out << "ridgeline config compose --config-dir DIR [flags] [OVERRIDES...]\n"
         "  Composes any Hydra configuration and prints the job config.\n";
  out << FlagsHelp(ComposeFlags());
  out << "\nridgeline config parse-override OVERRIDE...\n"
         "  Parses overrides; prints one JSON object per line.\n";
}

Result<Here> PlaceForeign(const ParsedFlags& flags) {
  HydraOptions options;
  options.config_path = flags.Get("--config-dir");
  options.config_name = flags.Get("--config-name");
  options.overrides = flags.words;
  if (options.config_path.empty()) {
    return Error(ErrorCode::kConfig, "config compose needs --config-dir DIR");
  }
  RIDGELINE_TRY(Here here, PlaceHere(options));
  here.request.job_name = flags.Has("--job-name") ? flags.Get("--job-name") : "app";
  if (flags.Has("--cwd")) {
    here.request.working_directory = config::NormalizePath(
        config::JoinPath(here.request.working_directory, flags.Get("--cwd")));
  }
  if (flags.Has("--now")) {
    RIDGELINE_TRY(here.world.now, os::ParseLocalTime(flags.Get("--now")));
  }
  return here;
}

Json ErrorJson(const config::Error& error) {
  Json json = {{"class", config::ClassName(error.kind)}, {"message", error.message}};
  if (error.cause != nullptr) {
    json["cause_class"] = config::ClassName(error.cause->kind);
    json["cause_message"] = error.cause->message;
  }
  if (error.origin.known()) json["origin"] = error.origin.ToString();
  if (!error.hint.empty()) json["hint"] = error.hint;
  return json;
}

Json CompositionJson(const config::Composition& composition, const config::Value& value) {
  Json defaults = Json::array();
  for (const config::ResultDefault& entry : composition.defaults.defaults) {
    defaults.push_back({{"config_path", entry.config_path},
                        {"package", entry.package},
                        {"is_self", entry.is_self},
                        {"parent", entry.parent ? Json(*entry.parent) : Json()}});
  }
  Json choices = Json::object();
  for (const auto& [key, choice] : composition.defaults.choices) {
    choices[key] = choice ? Json(*choice) : Json();
  }
  return {{"schema_version", kConfigSchemaVersion},
          {"ok", true},
          {"config", ToJson(value)},
          {"defaults", std::move(defaults)},
          {"choices", std::move(choices)}};
}

struct Composed {
  config::Composition composition;
  config::Value value;
};

config::Result<Composed> ComposeValue(config::Workspace& workspace, const Here& here,
                                      bool resolve) {
  RIDGELINE_TRY(config::Composition composition,
                config::Compose(workspace, here.request));
  config::Node& job = *composition.root;
  config::TakeOutHydra(workspace, job);
  if (resolve) RIDGELINE_RETURN_IF_ERROR(config::ResolveInPlace(workspace, job));
  return Composed{std::move(composition), config::ToValue(job)};
}

ExitStatus Compose(std::span<const std::string> arguments, const Streams& streams) {
  Result<ParsedFlags> parsed = ParseFlags(ComposeFlags(), arguments);
  if (!parsed.ok()) return Fail(streams, parsed.error());
  const ParsedFlags& flags = parsed.value();
  if (flags.Has("--help")) {
    PrintConfigUsage(streams.out);
    return ExitStatus::kDone;
  }
  Result<Here> here = PlaceForeign(flags);
  if (!here.ok()) return Fail(streams, here.error());
  config::Workspace workspace(here.value().world);
  config::Result<Composed> composed =
      ComposeValue(workspace, here.value(), flags.Has("--resolve"));
  PrintWarnings(streams, workspace);
  if (!composed.ok()) {
    if (flags.Has("--json")) {
      const Json json = {{"schema_version", kConfigSchemaVersion},
                         {"ok", false},
                         {"error", ErrorJson(composed.error())}};
      streams.out << DumpJson(json, 2) << '\n';
    }
    return Fail(streams, composed.error());
  }
  if (flags.Has("--json")) {
    streams.out << DumpJson(CompositionJson(composed.value().composition,
                                            composed.value().value),
                            2)
                << '\n';
  } else {
    streams.out << config::DumpYaml(composed.value().value);
  }
  return ExitStatus::kDone;
}

ExitStatus ParseOverrides(std::span<const std::string> lines, const Streams& streams) {
  if (lines.empty()) {
    return Fail(streams,
                Error(ErrorCode::kConfig, "config parse-override needs an override"));
  }
  ExitStatus status = ExitStatus::kDone;
  for (const std::string& line : lines) {
    const Json json = ParsedOverrideJson(line);
    streams.out << DumpJson(json, -1) << '\n';
    if (!json.at("ok").get<bool>()) status = ExitStatus::kUsage;
  }
  return status;
}

}  // namespace

ExitStatus ConfigCommand(std::span<const std::string> arguments, const Streams& streams) {
  const std::string action = arguments.empty() ? "" : arguments.front();
  if (action == "compose") return Compose(arguments.subspan(1), streams);
  const bool wants_help = std::any_of(
      arguments.begin(), arguments.end(),
      [](const std::string& word) { return word == "--help" || word == "-h"; });
  if (action == "parse-override" && !wants_help) {
    return ParseOverrides(arguments.subspan(1), streams);
  }
  if (wants_help) {
    PrintConfigUsage(streams.out);
    return ExitStatus::kDone;
  }
  return Fail(streams,
              Error(ErrorCode::kConfig,
                    action.empty() ? "config needs a subcommand: compose, parse-override"
                                   : "config: unknown subcommand '" + action +
                                         "'; expected compose or parse-override"));
}

}  // namespace ridgeline::app
