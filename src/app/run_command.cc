#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/hydra/hydra_actions.h"
#include "app/run/run_job.h"
#include "app/run/run_options.h"
#include "app/run/workload_input.h"
#include "app/version.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

bool IsMultirun(ComposedHere& composed) {
  config::Result<config::Node*> mode =
      config::Select(composed.workspace, *composed.composition.root, "hydra.mode");
  return mode.ok() && mode.value() != nullptr &&
         config::Str(mode.value()->value).ends_with("MULTIRUN");
}

// A tree that cannot be composed for a single run, because of `key=1,2`, may request a
// sweep.
bool IsMultirunOtherwise(HydraOptions options) {
  options.action = HydraOptions::Action::kMultirun;
  std::ostream nowhere(nullptr);
  auto composed = ComposeFor(options, {nowhere, nowhere});
  return composed.ok() && IsMultirun(*composed.value());
}

// "hydra/launcher=slurm" and "hydra.launcher.partition=gpu", but not the default
// launcher.
bool SetsLauncher(std::string_view override_text) {
  while (override_text.starts_with('+')) override_text.remove_prefix(1);
  return override_text != "hydra/launcher=basic" &&
         (override_text.starts_with("hydra/launcher=") ||
          override_text.starts_with("hydra.launcher."));
}

// A single run never uses a launcher, as in Hydra.
void NoteUnusedLauncher(const RunOptions& options, const Streams& streams) {
  const std::vector<std::string>& all = options.hydra.overrides;
  const auto first = std::find_if(all.begin(), all.end(), SetsLauncher);
  if (options.sweep_job || options.hydra.is_quiet || first == all.end()) return;
  streams.err << "ridgeline: note: " << *first
              << " has no effect on a single run, which is run here; launchers start the "
                 "jobs of a sweep (-m)\n";
}

// Hydra programs read the tree beside them; here, it takes -cp.
void NoteUnusedTree(const RunOptions& options, const ComposedHere& composed,
                    const Streams& streams) {
  if (options.has_command || options.hydra.is_quiet || !options.hydra.UsesOwnTree()) {
    return;
  }
  const std::filesystem::path tree =
      std::filesystem::path(composed.here.request.working_directory) / "conf";
  std::error_code differs;
  if (!os::IsRegularFile(tree / "config.yaml") ||
      std::filesystem::equivalent(tree, composed.here.request.config_path, differs)) {
    return;
  }
  streams.err << "ridgeline: note: conf/config.yaml in this directory is not used; to "
                 "use it: -cp conf\n";
}

// One job, or a sweep if hydra.mode is MULTIRUN in the configuration or an override.
ExitStatus RunAsConfigured(const RunOptions& options, const Streams& streams) {
  std::ostringstream talk;  // A sweep prints all of it itself.
  auto composed = ComposeFor(options.hydra, {streams.out, talk});
  const bool may_sweep = !options.sweep_job && !options.run_was_asked_for;
  if (may_sweep && (composed.ok() ? IsMultirun(*composed.value())
                                  : IsMultirunOtherwise(options.hydra))) {
    return RunSweep(WithoutPipedInput(options, streams), streams);
  }
  streams.err << talk.str();
  if (!composed.ok()) return composed.error();
  NoteUnusedLauncher(options, streams);
  NoteUnusedTree(options, *composed.value(), streams);
  return RunJob(std::move(composed).value(), options, streams);
}

ExitStatus Run(const RunOptions& options, const Streams& streams) {
  if (!options.resume.empty()) return ResumeJob(options, streams);
  const bool is_multirun = options.hydra.action == HydraOptions::Action::kMultirun;
  if (is_multirun && !options.sweep_job) {
    return RunSweep(WithoutPipedInput(options, streams), streams);
  }
  return RunAsConfigured(options, streams);
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
