// The flags of a Hydra application.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/flags.h"
#include "config/compose/composer.h"

namespace ridgeline::app {

std::span<const Flag> HydraFlags();

// For HydraOptions::config_name: no primary config.
inline constexpr std::string_view kNoConfig = "-";

struct HydraOptions {
  enum class Action {
    kRun,
    kMultirun,
    kShowConfig,
    kShowInfo,
    kHelp,
    kHydraHelp,
    kVersion,
    kCompletion
  };

  Action action = Action::kRun;
  std::string shown;    // kShowConfig: job, hydra, all. kShowInfo: all, config, ...
  std::string package;  // kShowConfig: only this part; empty: everything.
  bool resolve = false;
  std::string config_path;  // Empty: the configuration shipped with the program.
  std::string config_name;  // Empty: "config".
  std::string config_dir;   // Empty: none.
  std::vector<std::string> overrides;
  bool is_quiet = false;  // No notes and warnings.

  // Whether the configuration is the program's own, whose keys are known.
  bool UsesOwnTree() const { return config_path.empty(); }
};

// From parsed flags, which may include others.
Result<HydraOptions> HydraOptionsOf(const ParsedFlags& flags);

}  // namespace ridgeline::app
