#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/compose_here.h"
#include "app/hydra/hydra_actions.h"
#include "app/run/run_options.h"
#include "config/compose/config_repository.h"
#include "config/compose/search_path.h"
#include "config/overrides/override_parser.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::app {
namespace {

// Hydra's help does not name values.
enum class Values { kNamed, kUnnamed };

std::string FlagLines(std::span<const Flag> flags, Values values) {
  std::string text;
  for (const Flag& flag : flags) {
    if (flag.help.empty()) continue;  // Internal.
    text += std::string(flag.name);
    if (!flag.short_name.empty()) text += "," + std::string(flag.short_name);
    if (values == Values::kNamed && !flag.value_name.empty()) {
      text += " " + std::string(flag.value_name);
    }
    text += " : " + std::string(flag.help) + "\n";
  }
  return text;
}

std::string HydraFlagsHelp() {
  return FlagLines(HydraFlags(), Values::kUnnamed) +
         "Overrides : Any key=value arguments to override config values (use dots "
         "for.nested=overrides)";
}

// Lists every group that has options, including nested groups.
void ListGroups(const config::ConfigRepository& repository, const std::string& parent,
                std::map<std::string, std::vector<std::string>>& groups) {
  for (const std::string& name :
       repository.GroupOptions(parent, config::Listing::kGroups)) {
    const std::string group = parent.empty() ? name : parent + "/" + name;
    std::vector<std::string> options =
        repository.GroupOptions(group, config::Listing::kConfigs);
    if (!options.empty()) groups[group] = std::move(options);
    ListGroups(repository, group, groups);
  }
}

bool IsHydraGroup(const std::string& group) {
  return group == "hydra" || group.starts_with("hydra/");
}

std::string GroupsHelp(const std::map<std::string, std::vector<std::string>>& groups,
                       bool of_hydra) {
  std::string text;
  for (const auto& [group, options] : groups) {
    if (IsHydraGroup(group) != of_hydra) continue;
    text += group + ": ";
    for (size_t i = 0; i < options.size(); ++i) text += (i == 0 ? "" : ", ") + options[i];
    text += "\n";
  }
  return text;
}

void Replace(std::string& text, const std::string& name, const std::string& value) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    text.replace(at, name.size(), value);
    at += value.size();
  }
}

config::Result<std::string> HelpText(ComposedHere& composed,
                                     const HydraOptions& options) {
  config::Workspace& workspace = composed.workspace;
  const config::ComposeRequest& request = composed.here.request;
  const bool of_hydra = options.action == HydraOptions::Action::kHydraHelp;
  config::Node& root = *composed.composition.root;
  config::UseHydraNode(workspace, root);
  RIDGELINE_TRY(
      const config::Node* node,
      config::Select(workspace, root,
                     of_hydra ? "hydra.hydra_help.template" : "hydra.help.template"));
  std::string text = node == nullptr ? "" : config::Str(node->value);

  config::ConfigRepository repository(workspace, *request.files,
                                      request.working_directory);
  RIDGELINE_RETURN_IF_ERROR(repository.SetSearchPath(config::BaseSearchPath(request)));
  RIDGELINE_RETURN_IF_ERROR(
      config::ExtendSearchPath(repository, request, composed.composition.overrides));
  std::map<std::string, std::vector<std::string>> groups;
  ListGroups(repository, "", groups);

  config::Node& shown = of_hydra ? config::HydraConfig(workspace, root)
                                 : config::JobConfig(workspace, root);
  if (options.resolve)
    RIDGELINE_RETURN_IF_ERROR(config::ResolveInPlace(workspace, shown));
  Replace(text, "$FLAGS_HELP", HydraFlagsHelp());
  Replace(text, "$APP_CONFIG_GROUPS", GroupsHelp(groups, false));
  Replace(text, "$HYDRA_CONFIG_GROUPS", GroupsHelp(groups, true));
  Replace(text, "$CONFIG", config::DumpYaml(config::ToValue(shown)));
  return text;
}

}  // namespace

ExitStatus ShowHelp(const HydraOptions& options, const Streams& streams) {
  HydraOptions composing = options;
  // Hydra's own help does not depend on the application's configuration.
  if (options.action == HydraOptions::Action::kHydraHelp)
    composing.config_name = kNoConfig;
  auto composed = ComposeFor(composing, streams);
  if (!composed.ok()) return composed.error();
  config::Result<std::string> text = HelpText(*composed.value(), options);
  if (!text.ok()) return Fail(streams, text.error());
  // Hydra's text is a template that applications can change, so it lacks these.
  if (options.action == HydraOptions::Action::kHelp && options.UsesOwnTree()) {
    streams.out
        << "ridgeline run [flags] [overrides] [-- PROGRAM ARGUMENTS...]\n\n== Flags ==\n"
        << FlagLines(RunFlags(), Values::kNamed)
        << "Hydra's flags: ridgeline run --hydra-help\n"
           "\n";
  }
  streams.out << text.value() << '\n';
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
