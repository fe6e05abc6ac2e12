#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/hydra/hydra_flags.h"

namespace ridgeline::app {

// Flags of `ridgeline run` that are not Hydra's.
std::span<const Flag> RunFlags();

struct RunOptions {
  enum class Verbosity { kQuiet, kNormal, kVerbose };

  HydraOptions hydra;
  std::vector<std::string> arguments;  // As given.
  Verbosity verbosity = Verbosity::kNormal;
  bool json = false;
  bool dry_run = false;
  bool run_was_asked_for = false;  // --run: no sweep, regardless of hydra.mode.
  bool sweep_job = false;          // Started by a sweep: never a sweep itself.
  std::string resume;              // A run directory; empty: a new run.
  bool has_command = false;        // Workload after `--`: we exit with its code.
  // Our standard input, unless it is a whole file (workload_input.h).
  struct Input {
    std::optional<std::string> text;  // Complete, for the workload.
    bool reads_all = false;           // Read to its end for the workload.
    std::string not_passed;           // Why the workload does not get it, or empty.
  };
  Input input;
};

// Quotes a word for use as a value or list element in an override, without interpolation.
std::string QuotedWord(std::string_view word);

// "pipeline.workload.command=['python3','my.py']", for a program after `--`.
std::string CommandOverride(std::span<const std::string> words);

// A message about the program after `--`, for which the user typed no key.
std::string WithoutCommandKey(std::string_view message);

Result<RunOptions> ParseRunOptions(std::span<const std::string> arguments);

}  // namespace ridgeline::app
