#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/hydra/hydra_flags.h"
#include "app/registry.h"
#include "config/reader.h"
#include "os/command.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> WorkloadFlags() {
  static const std::vector<Flag> flags = {
      {"--output-dir", "", Flag::Takes::kValue, "DIR", "output directory; new or empty"},
  };
  return flags;
}

constexpr const char* kUsage =
    "ridgeline workload --output-dir DIR [hydra flags] [overrides]\n"
    "  Runs the built-in model without a profiler and writes config.yaml, metrics.json\n"
    "  and predictions to DIR, as the nsys and ncu stages do. To profile it by hand:\n"
    "  nsys profile -o report ridgeline workload --output-dir DIR device=cuda:0\n";

// Absolute path; fails if the directory is not empty.
Result<std::filesystem::path> OutputDirectory(const std::string& directory) {
  if (directory.empty()) {
    return Error(
        ErrorCode::kConfig,
        "workload needs --output-dir DIR for config.yaml, metrics.json and predictions");
  }
  RIDGELINE_TRY(const std::filesystem::path here, os::CurrentDirectory());
  std::filesystem::path output = (here / directory).lexically_normal();
  if (!os::Exists(output)) return output;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(output));
  if (entries.empty()) return output;
  return Error(ErrorCode::kConfig, "--output-dir " + directory +
                                       ": directory is not empty; choose a new one");
}

using WorkloadOrStatus =
    ridgeline::Result<std::unique_ptr<pipeline::Workload>, ExitStatus>;

// Configuration errors are reported before libtorch is loaded.
WorkloadOrStatus MakeModel(ComposedHere& composed, const Streams& streams) {
  config::Workspace& workspace = composed.workspace;
  config::Node& job = *composed.composition.root;
  config::TakeOutHydra(workspace, job);
  const std::vector<config::Error> mistakes =
      CheckConfig(workspace, job, composed.unknown_keys);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  auto workload = WorkloadMaker()(workspace, job);
  if (!workload.ok()) return Fail(streams, workload.error());
  if (!workload.value()->IsModel()) {
    return Fail(streams, Error(ErrorCode::kConfig,
                               "the workload is an external program "
                               "(pipeline.workload.command); run it directly: " +
                                   workload.value()->Describe()));
  }
  const std::string missing = workload.value()->Unavailable();
  if (!missing.empty()) return Fail(streams, Error(ErrorCode::kUnsupported, missing));
  return std::move(workload).value();
}

// Replaces this process with the model's program; returns only on failure.
Error Become(const pipeline::Workload& workload, const std::filesystem::path& output) {
  Status prepared = os::CreateDirectories(output);
  // Not a capture, so no limits.
  const pipeline::WorkloadPlace place = {.scratch = output, .output = output};
  if (prepared.ok()) prepared = workload.Prepare(place);
  if (!prepared.ok()) return std::move(prepared).error();
  return os::ReplaceProcess(
      workload.AsCommand({output, output, pipeline::WorkloadTask::kCapture}));
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
  const auto output = OutputDirectory(parsed.value().Get("--output-dir"));
  if (!output.ok()) return Fail(streams, output.error());
  auto composed = ComposeFor(options.value(), streams);
  if (!composed.ok()) return composed.error();
  const WorkloadOrStatus workload = MakeModel(*composed.value(), streams);
  if (!workload.ok()) return workload.error();
  return Fail(streams, Become(*workload.value(), output.value()));
}

}  // namespace ridgeline::app
