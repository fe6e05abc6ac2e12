#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/hydra/hydra_actions.h"
#include "app/run/run_job.h"
#include "app/run/run_options.h"
#include "app/version.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"

namespace ridgeline::app {
namespace {

// --multirun, or hydra.mode=MULTIRUN in the configuration or on the command line.
bool IsSweep(const RunOptions& options) {
  if (options.sweep_job || !options.resume.empty()) return false;
  if (options.hydra.action == HydraOptions::Action::kMultirun) return true;
  if (options.run_was_asked_for) return false;
  std::ostream nowhere(nullptr);  // Errors are printed by the actual composition.
  auto composed = ComposeFor(options.hydra, {nowhere, nowhere});
  if (!composed.ok()) return false;
  config::Workspace& workspace = composed.value()->workspace;
  config::Result<config::Node*> mode =
      config::Select(workspace, *composed.value()->composition.root, "hydra.mode");
  return mode.ok() && mode.value() != nullptr &&
         config::Str(mode.value()->value).ends_with("MULTIRUN");
}

ExitStatus Run(const RunOptions& options, const Streams& streams) {
  return IsSweep(options) ? RunSweep(options, streams) : RunJob(options, streams);
}

}  // namespace

std::optional<ExitStatus> ShowInsteadOfRunning(const HydraOptions& options,
                                               const Streams& streams) {
  switch (options.action) {
    case HydraOptions::Action::kVersion:
      streams.out << "ridgeline " << Version() << " (Hydra " << config::kHydraVersion
                  << ")\n";
      return ExitStatus::kDone;
    case HydraOptions::Action::kHelp:
    case HydraOptions::Action::kHydraHelp:
      return ShowHelp(options, streams);
    case HydraOptions::Action::kShowConfig:
      return ShowConfig(options, streams);
    case HydraOptions::Action::kShowInfo:
      return ShowInfo(options, streams);
    case HydraOptions::Action::kCompletion:
      return ShellCompletion(options, streams);
    case HydraOptions::Action::kRun:
    case HydraOptions::Action::kMultirun:
      return std::nullopt;
  }
  return std::nullopt;
}

ExitStatus RunCommand(std::span<const std::string> arguments, const Streams& streams) {
  Result<RunOptions> parsed = ParseRunOptions(arguments);
  if (!parsed.ok()) return Fail(streams, parsed.error());
  if (const auto shown = ShowInsteadOfRunning(parsed.value().hydra, streams)) {
    return *shown;
  }
  return Run(parsed.value(), streams);
}

}  // namespace ridgeline::app
