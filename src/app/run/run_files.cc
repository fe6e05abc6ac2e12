#include "app/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/version.h"
#include "artifacts/environment.h"
#include "artifacts/provenance.h"
#include "base/digest.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/redact.h"
#include "config/value/yaml_dump.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"
#include "pipeline/inputs.h"
#include "report/printers/efficiency.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using artifacts::RunDir;

Status WriteIfNew(const fs::path& path, const std::string& text) {
  if (os::Exists(path)) return Ok();
  return os::WriteText(path, text);
}

// Overrides from the command line, in Hydra's format.
std::string OverridesYaml(const RunSetup& setup) {
  config::Workspace& workspace = setup.composed->workspace;
  config::Result<config::Node*> task =
      config::Select(workspace, *workspace.hydra, "overrides.task");
  const bool found = task.ok() && task.value() != nullptr;
  return config::DumpYaml(found ? config::WithoutSecrets(config::ToValue(*task.value()))
                                : config::Value(config::List()));
}

std::string AssumptionsMarkdown(const pipeline::RunPlan& plan, const RunDir& run_dir) {
  std::string text = fmt::format(
      "# Assumptions of run {}\n"
      "\n"
      "Defaults applied where the configuration sets no value.\n"
      "\n"
      "- Workload: {}.\n",
      run_dir.id(), plan.workload->Describe());
  for (const std::string& change : plan.workload->Changes()) {
    text += fmt::format("- Under nsys and ncu, it {}.\n", change);
  }
  for (const pipeline::PlannedStage& stage : plan.stages) {
    for (const std::string& assumption : stage.plan.assumptions) {
      text += fmt::format("- {}: {}.\n", stage.name, assumption);
    }
    if (!stage.plan.skip.empty()) {
      text += fmt::format("- {}: skipped: {}.\n", stage.name, stage.plan.skip);
    }
  }
  return text;
}

std::string EnvironmentText(const RunSetup& setup, os::ProcessRunner& processes) {
  artifacts::ProvenanceRequest request;
  request.ridgeline_version = Version();
  request.time = os::Timestamp();
  request.directory = setup.composed->here.request.working_directory;
  request.environment = os::Environment();
  request.libtorch = LibtorchVersion();
  // Starting all tools would take longer than a short workload.
  request.search.ask.emplace();
  for (const pipeline::PlannedStage& stage : setup.plan.stages) {
    if (stage.enabled) {
      request.search.ask->insert(stage.plan.tools.begin(), stage.plan.tools.end());
    }
  }
  return artifacts::EnvironmentJson(artifacts::CollectProvenance(processes, request));
}

// Stages of an earlier command of this run may have read a different input.
Status WritePipedInput(const std::string& text, const fs::path& path) {
  if (!os::Exists(path)) return os::WriteFileAtomically(path, text);
  RIDGELINE_TRY(const std::string before, os::ReadFile(path));
  if (before == text) return Ok();
  return Error(ErrorCode::kConfig,
               path.string() +
                   ": an earlier command of this run had another standard input; write "
                   "it to a file and redirect that (<FILE)");
}

Status WriteHydraFiles(const RunSetup& setup, const RunDir& run_dir) {
  for (const auto& [name, text] : setup.job.files) {
    const fs::path path = run_dir.root() / name;
    RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(path.parent_path()));
    RIDGELINE_RETURN_IF_ERROR(WriteIfNew(path, config::YamlWithoutSecrets(text)));
  }
  return Ok();
}

}  // namespace

artifacts::Manifest NewManifest(const RunSetup& setup, const RunOptions& options,
                                const RunDir& run_dir) {
  artifacts::Manifest manifest;
  manifest.ridgeline_version = Version();
  manifest.run_id = run_dir.id();
  manifest.directory = run_dir.root().string();
  const Result<std::string> host = os::HostName();
  manifest.host = host.ok() ? host.value() : "";
  manifest.pid = os::ProcessId();
  manifest.arguments = options.arguments;
  manifest.cwd = setup.composed->here.request.working_directory;
  manifest.invoked =
      os::FormatTime(setup.composed->workspace.world().now, "%Y-%m-%dT%H:%M:%S.%f");
  manifest.workload = setup.plan.workload->Describe();
  manifest.config_sha256 = Sha256(setup.resolved_config_yaml);
  for (const pipeline::PlannedStage& stage : setup.plan.stages) {
    artifacts::StageRecord record;
    record.name = stage.name;
    record.state =
        stage.enabled ? artifacts::State::kPending : artifacts::State::kDisabled;
    record.directory = stage.name;
    for (const pipeline::PlannedCommand& command : stage.plan.commands) {
      record.commands.push_back(command.command.ToShellString());
      for (const pipeline::RankCommand& rank : command.ranks) {
        record.commands.push_back(rank.command.ToShellString());
      }
    }
    record.tools = stage.plan.tools;
    manifest.stages.push_back(std::move(record));
  }
  artifacts::RemoveSecrets(manifest);
  return manifest;
}

Status WriteRunFiles(const RunSetup& setup, const RunDir& run_dir, size_t command,
                     os::ProcessRunner& processes) {
  if (setup.piped_input) {
    RIDGELINE_RETURN_IF_ERROR(WritePipedInput(*setup.piped_input, run_dir.piped_input()));
  }
  RIDGELINE_RETURN_IF_ERROR(WriteIfNew(run_dir.config(command), setup.config_yaml));
  RIDGELINE_RETURN_IF_ERROR(WriteIfNew(run_dir.overrides(command), OverridesYaml(setup)));
  RIDGELINE_RETURN_IF_ERROR(WriteHydraFiles(setup, run_dir));
  RIDGELINE_RETURN_IF_ERROR(
      WriteIfNew(run_dir.assumptions(command), AssumptionsMarkdown(setup.plan, run_dir)));
  if (!os::Exists(run_dir.inputs(command))) {
    RIDGELINE_TRY(const auto paths, setup.plan.workload->Inputs());
    RIDGELINE_TRY(const auto inputs, pipeline::DescribeInputs(paths));
    RIDGELINE_RETURN_IF_ERROR(
        os::WriteText(run_dir.inputs(command), pipeline::ToYaml(inputs)));
  }
  if (os::Exists(run_dir.environment())) return Ok();
  return os::WriteText(run_dir.environment(), EnvironmentText(setup, processes));
}

Status RecordOutputs(const RunDir& run_dir, size_t command) {
  const std::filesystem::path path = run_dir.inputs(command);
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  RIDGELINE_TRY(auto files, pipeline::ParseInputs(text, path.string()));
  RIDGELINE_TRY(const os::FileStamp began, os::StampOf(path));
  bool has_outputs = false;
  for (pipeline::InputFile& file : files) {
    if (file.role != pipeline::kArgumentRole) continue;
    const Result<os::FileStamp> stamp = os::StampOf(file.path);
    if (stamp.ok() && stamp.value().changed_ns < began.changed_ns) continue;
    file.role = pipeline::kOutputRole;
    has_outputs = true;
  }
  if (!has_outputs) return Ok();
  return os::WriteText(path, pipeline::ToYaml(files));
}

}  // namespace ridgeline::app
