#include "app/run/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/registry.h"
#include "config/reader.h"
#include "config/tree/to_value.h"
#include "config/value/redact.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::app {
namespace {

// Further errors can only be found by the stages and the workload.
ridgeline::Result<pipeline::RunPlan, ExitStatus> Plan(RunSetup& setup,
                                                      const Streams& streams) {
  config::Workspace& workspace = setup.composed->workspace;
  config::Node& config = *setup.job.config;
  std::vector<config::Error> mistakes =
      CheckConfig(workspace, config, setup.composed->unknown_keys);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  auto plan =
      pipeline::PlanRun(workspace, config, Stages(), WorkloadMaker(), *setup.tools);
  if (!plan.ok()) return Fail(streams, config::JoinErrors(plan.error()));
  return std::move(plan).value();
}

// The job of the composed tree with one more override.
config::Result<config::Job> JobWith(const std::string& override, ComposedHere& composed) {
  RIDGELINE_RETURN_IF_ERROR(
      config::AddOverrides(composed.workspace, composed.composition, {override}));
  return config::PrepareJob(composed.workspace, composed.composition,
                            composed.here.request.working_directory);
}

// Fills the parts of the setup that depend on the composed tree.
ridgeline::Result<std::monostate, ExitStatus> PlanWith(const std::string& override,
                                                       RunSetup& setup,
                                                       const Streams& streams) {
  config::Result<config::Job> job = JobWith(override, *setup.composed);
  if (!job.ok()) return Fail(streams, job.error());
  setup.job = std::move(job).value();
  auto plan = Plan(setup, streams);
  if (!plan.ok()) return plan.error();
  setup.plan = std::move(plan).value();
  config::Node& config = *setup.job.config;
  setup.config_yaml = config::DumpYaml(config::WithoutSecrets(config::ToValue(config)));
  config::Result<config::Value> resolved =
      config::ToResolvedValue(setup.composed->workspace, config);
  if (!resolved.ok()) return Fail(streams, resolved.error());
  setup.resolved_config_yaml = config::DumpYaml(resolved.value());
  pipeline::PlanStages(setup.plan, artifacts::RunDir(setup.job.output_directory));
  return Ok();
}

constexpr std::string_view kMeasuringStage = "direct_inference";

// "pipeline.direct_inference.enable=false" and "pipeline.direct_inference={...}".
bool SetsMeasuringStage(std::string_view override) {
  const std::string section = fmt::format("pipeline.{}", kMeasuringStage);
  override.remove_prefix(std::min(override.find_first_not_of("+~"), override.size()));
  const std::string_view key = override.substr(0, override.find('='));
  return key == section || key == section + ".enable";
}

// Whether a program after `--` needs the stage that measures any program: the other
// stages that are on by default instrument PyTorch and are skipped. Other trees decide
// for themselves.
bool NeedsMeasuringStage(const RunSetup& setup, const RunOptions& options) {
  if (!options.has_command || !options.hydra.UsesOwnTree() ||
      setup.plan.workload->kind() != pipeline::WorkloadKind::kProgram) {
    return false;
  }
  const auto& overrides = options.hydra.overrides;
  if (std::any_of(overrides.begin(), overrides.end(), SetsMeasuringStage)) return false;
  return std::any_of(setup.plan.stages.begin(), setup.plan.stages.end(),
                     [](const pipeline::PlannedStage& stage) {
                       return stage.name == kMeasuringStage && !stage.enabled;
                     });
}

}  // namespace

std::string QuotedOverride(const std::string& key, const std::string& value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return key + "='" + quoted + "'";
}

ridgeline::Result<RunSetup, ExitStatus> SetUpRun(std::unique_ptr<ComposedHere> composed,
                                                 const RunOptions& options,
                                                 const Streams& streams) {
  RunSetup setup;
  setup.composed = std::move(composed);
  setup.tools = std::make_unique<ToolAsker>();
  const char* const mode = options.sweep_job ? "hydra.mode=MULTIRUN" : "hydra.mode=RUN";
  auto planned = PlanWith(mode, setup, streams);
  if (!planned.ok()) return planned.error();
  if (NeedsMeasuringStage(setup, options)) {
    const std::string override = fmt::format("pipeline.{}.enable=true", kMeasuringStage);
    planned = PlanWith(override, setup, streams);
    if (!planned.ok()) return planned.error();
    // A missing program is reported alone.
    const bool is_found = os::FindProgram(setup.plan.workload->Program({})).ok();
    if (is_found && options.verbosity != RunOptions::Verbosity::kQuiet) {
      streams.err << "ridgeline: note: not a Python program: " << kMeasuringStage
                  << " enabled (wall and CPU time)\n";
    }
  }
  PrintWarnings(streams, setup.composed->workspace);
  return setup;
}

ridgeline::Result<RunSetup, ExitStatus> MoveRun(RunSetup setup,
                                                const std::string& directory,
                                                const Streams& streams) {
  auto planned = PlanWith(QuotedOverride("hydra.run.dir", directory), setup, streams);
  if (!planned.ok()) return planned.error();
  setup.composed->workspace.TakeWarnings();  // SetUpRun printed them.
  return setup;
}

}  // namespace ridgeline::app
