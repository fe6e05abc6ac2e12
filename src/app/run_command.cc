#include "app/run_command.h"

#include <ostream>

#include "app/command_support.h"
#include "app/completion.h"
#include "app/hydra_flags.h"
#include "app/hydra_help.h"
#include "app/show_config.h"
#include "app/show_info.h"
#include "app/version.h"
#include "config/reader.h"
#include "pipeline/config_schema.h"

namespace ridgeline::app {
namespace {

// The pipeline itself comes with the stages; until then a run is refused after
// its configuration was found to be right.
ExitStatus Run(const HydraOptions& options, const Streams& streams) {
  auto composed = ComposeFor(options, streams);
  if (!composed.ok()) return composed.error();
  config::Workspace& workspace = composed.value()->workspace;
  config::Node& job = *composed.value()->composition.root;
  config::TakeOutHydra(workspace, job);
  const std::vector<config::Error> mistakes = pipeline::CheckConfig(workspace, job);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  streams.err
      << "ridgeline: the configuration is valid, but this version has no stages to "
         "run yet; see it with --cfg job\n";
  return ExitStatus::kFailed;
}

}  // namespace

ExitStatus RunCommand(std::span<const std::string> arguments, const Streams& streams) {
  Result<HydraOptions> parsed = ParseHydraOptions(arguments);
  if (!parsed.ok()) return Fail(streams, parsed.error());
  const HydraOptions& options = parsed.value();
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
      return Run(options, streams);
  }
  return ExitStatus::kUsage;
}

}  // namespace ridgeline::app
