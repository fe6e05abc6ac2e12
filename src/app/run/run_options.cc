#include "app/run/run_options.h"

#include "app/flags.h"

namespace ridgeline::app {
namespace {

using Takes = Flag::Takes;

Status CheckResume(const RunOptions& options) {
  if (options.resume.empty()) return Ok();
  if (!options.hydra.overrides.empty()) {
    return UsageError(
        "--resume uses the configuration of the run and takes no overrides ('" +
        options.hydra.overrides.front() + "')");
  }
  if (options.hydra.action != HydraOptions::Action::kRun || options.dry_run) {
    return UsageError(
        "--resume cannot be combined with --multirun, --cfg, --info or "
        "--dry-run");
  }
  return Ok();
}

}  // namespace

std::span<const Flag> RunFlags() {
  static const std::vector<Flag> flags = {
      {"--dry-run", "-n", Takes::kNothing, "",
       "Print the plan with every command line; start nothing"},
      {"--resume", "", Takes::kValue, "RUN",
       "Continue the unfinished run in this directory"},
      {"--quiet", "-q", Takes::kNothing, "", "Errors only"},
      {"--verbose", "-v", Takes::kNothing, "", "Show commands and their output"},
      {"--json", "", Takes::kNothing, "",
       "Print events as JSON Lines; with --dry-run, the plan"},
      {"--sweep-job", "", Takes::kNothing, "",
       "Internal: this run is a job of a sweep (set by --multirun)"},
  };
  return flags;
}

Result<RunOptions> ParseRunOptions(std::span<const std::string> arguments) {
  std::vector<Flag> flags(HydraFlags().begin(), HydraFlags().end());
  flags.insert(flags.end(), RunFlags().begin(), RunFlags().end());
  RIDGELINE_TRY(const ParsedFlags parsed, ParseFlags(flags, arguments));
  RunOptions options;
  RIDGELINE_TRY(options.hydra, HydraOptionsOf(parsed));
  options.arguments.assign(arguments.begin(), arguments.end());
  if (parsed.Has("--quiet") && parsed.Has("--verbose")) {
    return UsageError("--quiet and --verbose are mutually exclusive");
  }
  if (parsed.Has("--quiet")) options.verbosity = RunOptions::Verbosity::kQuiet;
  if (parsed.Has("--verbose")) options.verbosity = RunOptions::Verbosity::kVerbose;
  options.json = parsed.Has("--json");
  options.dry_run = parsed.Has("--dry-run");
  options.run_was_asked_for = parsed.Has("--run");
  options.sweep_job = parsed.Has("--sweep-job");
  options.resume = parsed.Get("--resume");
  if (parsed.Has("--resume") && options.resume.empty()) {
    return UsageError("--resume needs a run directory");
  }
  RIDGELINE_RETURN_IF_ERROR(CheckResume(options));
  return options;
}

}  // namespace ridgeline::app
