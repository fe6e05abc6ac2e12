#include "app/hydra/hydra_flags.h"

#include "app/flags.h"

namespace ridgeline::app {
namespace {

using Takes = Flag::Takes;
using Action = HydraOptions::Action;

// Help and version take precedence, as in Hydra.
Result<Action> ChooseAction(const ParsedFlags& flags) {
  if (flags.Has("--version")) return Action::kVersion;
  if (flags.Has("--help")) return Action::kHelp;
  if (flags.Has("--resolve") && !flags.Has("--cfg")) {
    return UsageError(
        "The --resolve flag can only be used in conjunction with --cfg or --help");
  }
  if (flags.Has("--hydra-help")) return Action::kHydraHelp;
  constexpr std::pair<std::string_view, Action> kCommands[] = {
      {"--run", Action::kRun},
      {"--multirun", Action::kMultirun},
      {"--cfg", Action::kShowConfig},
      {"--info", Action::kShowInfo},
      {"--shell-completion", Action::kCompletion}};
  Action chosen = Action::kRun;
  int count = 0;
  for (const auto& [name, action] : kCommands) {
    if (!flags.Has(name)) continue;
    chosen = action;
    ++count;
  }
  if (count > 1) {
    return UsageError(
        "Only one of --run, --multirun, --cfg, --info and --shell_completion can be "
        "specified");
  }
  return chosen;
}

}  // namespace

std::span<const Flag> HydraFlags() {
  static const std::vector<Flag> flags = {
      {"--help", "-h", Takes::kNothing, "", "Application's help"},
      {"--hydra-help", "", Takes::kNothing, "", "Hydra's help"},
      {"--version", "", Takes::kNothing, "", "Show the version and exit"},
      {"--cfg",
       "-c",
       Takes::kValue,
       "WHAT",
       "Show config instead of running [job|hydra|all]",
       {"job", "hydra", "all"}},
      {"--resolve", "", Takes::kNothing, "",
       "Used in conjunction with --cfg, resolve config interpolations before printing."},
      {"--package", "-p", Takes::kValue, "PACKAGE", "Config package to show"},
      {"--run", "-r", Takes::kNothing, "", "Run a job"},
      {"--multirun", "-m", Takes::kNothing, "",
       "Run multiple jobs with the configured launcher and sweeper"},
      {"--shell-completion", "-sc", Takes::kNothing, "",
       "Install or uninstall shell completion, e.g. -sc install=bash"},
      {"--config-path", "-cp", Takes::kValue, "DIR",
       "Use another primary config directory, absolute or relative to here"},
      {"--config-name", "-cn", Takes::kValue, "NAME", "Use another primary config"},
      {"--config-dir", "-cd", Takes::kValue, "DIR",
       "Adds an additional config dir to the config search path"},
      {"--info",
       "-i",
       Takes::kOptionalValue,
       "WHAT",
       "Print Hydra information [all|config|defaults|defaults-tree|plugins|searchpath]",
       {"all", "config", "defaults", "defaults-tree", "plugins", "searchpath"},
       "all"},
  };
  return flags;
}

Result<HydraOptions> HydraOptionsOf(const ParsedFlags& flags) {
  HydraOptions options;
  RIDGELINE_TRY(options.action, ChooseAction(flags));
  options.shown = flags.Get(options.action == Action::kShowInfo ? "--info" : "--cfg");
  options.package = flags.Get("--package");
  options.resolve = flags.Has("--resolve");
  options.config_path = flags.Get("--config-path");
  options.config_name = flags.Get("--config-name");
  options.config_dir = flags.Get("--config-dir");
  options.overrides = flags.words;
  return options;
}

}  // namespace ridgeline::app
