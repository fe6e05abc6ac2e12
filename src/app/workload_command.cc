#include "app/workload_command.h"

#include <ostream>

#include "app/command_support.h"
#include "app/hydra/hydra_flags.h"
#include "app/registry.h"
#include "config/reader.h"
#include "config/tree/build.h"
#include "config/value/yaml_load.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"
#include "pipeline/config_schema.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> WorkloadFlags() {
  static const std::vector<Flag> flags = {
      {"--config-file", "", Flag::Takes::kValue,
       "a whole composed configuration, instead of overrides"},
      {"--output-dir", "", Flag::Takes::kValue,
       "where it writes (the current directory)"},
  };
  return flags;
}

// The configuration that a run wrote for its workload: composed and resolved.
config::Result<config::Node*> LoadConfigFile(config::Workspace& workspace,
                                             const std::string& path) {
  ridgeline::Result<std::string> text = os::ReadFile(path);
  if (!text.ok()) {
    return config::Error(config::ErrorKind::kValidation, text.error().message());
  }
  RIDGELINE_TRY(const config::Value value, config::LoadYaml(text.value(), path));
  if (!value.is_dict()) {
    return config::Error(config::ErrorKind::kValidation,
                         path + ": is no configuration: expected a mapping");
  }
  return config::CreateRoot(workspace, value, std::make_shared<const std::string>(path));
}

ExitStatus RunWorkload(config::Workspace& workspace, config::Node& config,
                       const Streams& streams) {
  const std::vector<config::Error> mistakes = pipeline::CheckConfig(workspace, config);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  auto workload = WorkloadMaker()(workspace, config);
  if (!workload.ok()) return Fail(streams, workload.error());
  if (!workload.value()->IsModel()) {
    return Fail(streams, Error(ErrorCode::kConfig,
                               "the workload is a program (pipeline.workload.command); "
                               "start that: " +
                                   workload.value()->Describe()));
  }
  return Fail(streams,
              Error(ErrorCode::kUnsupported, "this build has no built-in model"));
}

}  // namespace

ExitStatus WorkloadCommand(std::span<const std::string> arguments,
                           const Streams& streams) {
  std::vector<Flag> flags(HydraFlags().begin(), HydraFlags().end());
  flags.insert(flags.end(), WorkloadFlags().begin(), WorkloadFlags().end());
  Result<ParsedFlags> parsed = ParseFlags(flags, arguments);
  if (!parsed.ok()) return Fail(streams, parsed.error());
  Result<HydraOptions> options = HydraOptionsOf(parsed.value());
  if (!options.ok()) return Fail(streams, options.error());
  const std::string file = parsed.value().Get("--config-file");
  if (file.empty()) {
    auto composed = ComposeFor(options.value(), streams);
    if (!composed.ok()) return composed.error();
    config::Workspace& workspace = composed.value()->workspace;
    config::Node& job = *composed.value()->composition.root;
    config::TakeOutHydra(workspace, job);
    return RunWorkload(workspace, job, streams);
  }
  if (!options.value().overrides.empty()) {
    return Fail(streams, Error(ErrorCode::kConfig,
                               "--config-file is a whole configuration: it takes no "
                               "overrides"));
  }
  config::Workspace workspace({os::Environment(), os::Now()});
  config::Result<config::Node*> config = LoadConfigFile(workspace, file);
  if (!config.ok()) return Fail(streams, config.error());
  return RunWorkload(workspace, *config.value(), streams);
}

}  // namespace ridgeline::app
