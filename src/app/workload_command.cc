#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/hydra/hydra_flags.h"
#include "app/registry.h"
#include "config/reader.h"
#include "config/tree/build.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
#include "os/clock.h"
#include "os/command.h"
#include "os/env.h"
#include "os/files.h"
#include "pipeline/config_schema.h"
#include "workloads/builtin_model.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> WorkloadFlags() {
  static const std::vector<Flag> flags = {
      {"--config-file", "", Flag::Takes::kValue,
       "a complete composed configuration, instead of overrides"},
      {"--output-dir", "", Flag::Takes::kValue,
       "output directory; new or empty unless --config-file is given"},
      {"--stage", "", Flag::Takes::kValue,
       "stage to run for: torch_profiler profiles one sample; names other than "
       "direct_inference run inference only (default: workload)"},
  };
  return flags;
}

constexpr const char* kUsage =
    "ridgeline workload --output-dir DIR [hydra flags] [overrides]\n"
    "  Runs the built-in model without a profiler and writes config.yaml, metrics.json\n"
    "  and predictions to DIR. The nsys and ncu stages start the model this way.\n";

// A directory that the user named, and in which nothing would be replaced.
Status CheckOutputDirectory(const ParsedFlags& flags) {
  const std::string directory = flags.Get("--output-dir");
  if (directory.empty()) {
    return Error(
        ErrorCode::kConfig,
        "workload needs --output-dir DIR for config.yaml, metrics.json and predictions");
  }
  // With --config-file it is a stage's directory, with the configuration in it.
  if (flags.Has("--config-file") || !os::Exists(directory)) return Ok();
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  if (entries.empty()) return Ok();
  return Error(ErrorCode::kConfig, "--output-dir " + directory +
                                       ": directory is not empty; choose a new one");
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
                         path + ": not a configuration: expected a mapping");
  }
  return config::CreateRoot(workspace, value, std::make_shared<const std::string>(path));
}

struct ModelPlace {
  std::string output;
  std::string stage;
};

// Becomes the program that runs models; `file` is the configuration in a file.
ExitStatus BecomeModel(const std::string& file, const ModelPlace& place,
                       const Streams& streams) {
  const std::optional<std::filesystem::path> program = workloads::FindModelProgram();
  if (!program) {
    return Fail(streams, Error(ErrorCode::kUnsupported,
                               "no built-in model: this build has no libtorch"));
  }
  return Fail(streams, os::ReplaceProcess({.argv = {program->string(), "--config-file",
                                                    file, "--output-dir", place.output,
                                                    "--stage", place.stage},
                                           .environment = {},
                                           .directory = {}}));
}

// Configuration errors are reported before libtorch is loaded.
std::optional<ExitStatus> CheckWorkload(config::Workspace& workspace,
                                        config::Node& config, const Streams& streams) {
  const std::vector<config::Error> mistakes = pipeline::CheckConfig(workspace, config);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  auto workload = WorkloadMaker()(workspace, config);
  if (!workload.ok()) return Fail(streams, workload.error());
  if (workload.value()->IsModel()) return std::nullopt;
  return Fail(streams, Error(ErrorCode::kConfig,
                             "the workload is an external program "
                             "(pipeline.workload.command); run it directly: " +
                                 workload.value()->Describe()));
}

// Writes the configuration where the model's program can read it.
Result<std::string> WriteConfig(config::Workspace& workspace, config::Node& config,
                                const std::string& output) {
  config::Result<config::Value> resolved = config::ToResolvedValue(workspace, config);
  if (!resolved.ok()) return config::ToError(resolved.error());
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(output));
  const std::string file = std::filesystem::path(output) / "config.yaml";
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(file, config::DumpYaml(resolved.value())));
  return file;
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
  if (parsed.value().Has("--help")) {
    streams.out << kUsage << FlagsHelp(flags);
    return ExitStatus::kDone;
  }
  if (const auto shown = ShowInsteadOfRunning(options.value(), streams)) return *shown;
  if (const Status checked = CheckOutputDirectory(parsed.value()); !checked.ok()) {
    return Fail(streams, checked.error());
  }
  const std::string file = parsed.value().Get("--config-file");
  const ModelPlace place = {
      parsed.value().Get("--output-dir"),
      parsed.value().Has("--stage") ? parsed.value().Get("--stage") : "workload"};
  if (file.empty()) {
    auto composed = ComposeFor(options.value(), streams);
    if (!composed.ok()) return composed.error();
    config::Workspace& workspace = composed.value()->workspace;
    config::Node& job = *composed.value()->composition.root;
    config::TakeOutHydra(workspace, job);
    if (const auto status = CheckWorkload(workspace, job, streams)) return *status;
    Result<std::string> written = WriteConfig(workspace, job, place.output);
    if (!written.ok()) return Fail(streams, written.error());
    return BecomeModel(written.value(), place, streams);
  }
  if (!options.value().overrides.empty()) {
    return Fail(
        streams,
        Error(ErrorCode::kConfig,
              "--config-file is a complete configuration and takes no overrides"));
  }
  config::Workspace workspace({os::Environment(), os::Now()});
  config::Result<config::Node*> config = LoadConfigFile(workspace, file);
  if (!config.ok()) return Fail(streams, config.error());
  if (const auto status = CheckWorkload(workspace, *config.value(), streams)) {
    return *status;
  }
  return BecomeModel(file, place, streams);
}

}  // namespace ridgeline::app
