#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/hydra/hydra_flags.h"

namespace ridgeline::app {

// The flags of `ridgeline run` that Hydra does not have.
std::span<const Flag> RunFlags();

struct RunOptions {
  enum class Verbosity { kQuiet, kNormal, kVerbose };

  HydraOptions hydra;
  std::vector<std::string> arguments;  // As they were given.
  Verbosity verbosity = Verbosity::kNormal;
  bool json = false;
  bool dry_run = false;
  bool run_was_asked_for = false;  // --run: no sweep, whatever hydra.mode says.
  bool sweep_job = false;          // Started by a sweep: it is not one itself.
  std::string resume;              // A run directory; empty: a new run.
  bool has_command = false;        // A workload after `--`: its exit code is ours.
  // Standard input of ours, if it is not a whole file (workload_input.h).
  struct Input {
    std::optional<std::string> text;  // All of it, for the workload.
    bool reads_all = false;           // It is read to its end for the workload.
    std::string not_passed;           // Why the workload does not get it; empty: it does.
  };
  Input input;
};

// A word as a value, or an element of a list, in an override: quoted, and without
// interpolations.
std::string QuotedWord(std::string_view word);

Result<RunOptions> ParseRunOptions(std::span<const std::string> arguments);

}  // namespace ridgeline::app
