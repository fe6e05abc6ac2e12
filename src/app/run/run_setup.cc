#include "app/run/run_setup.h"

#include <ostream>

#include "app/registry.h"
#include "app/run/tool_asker.h"
#include "config/reader.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "pipeline/config_schema.h"

namespace ridgeline::app {
namespace {

// Only the stages and the workload know the rest of what can be wrong.
ridgeline::Result<pipeline::RunPlan, ExitStatus> Plan(config::Workspace& workspace,
                                                      config::Node& config,
                                                      const Streams& streams) {
  std::vector<config::Error> mistakes = pipeline::CheckConfig(workspace, config);
  if (!mistakes.empty()) return Fail(streams, config::JoinErrors(mistakes));
  ToolAsker tools;
  auto plan = pipeline::PlanRun(workspace, config, Stages(), WorkloadMaker(), tools);
  if (!plan.ok()) return Fail(streams, config::JoinErrors(plan.error()));
  return std::move(plan).value();
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

ridgeline::Result<RunSetup, ExitStatus> SetUpRun(const RunOptions& options,
                                                 const RunPins& pins,
                                                 const Streams& streams) {
  HydraOptions hydra = options.hydra;
  hydra.overrides.emplace_back(options.sweep_job ? "hydra.mode=MULTIRUN"
                                                 : "hydra.mode=RUN");
  if (!pins.directory.empty()) {
    hydra.overrides.push_back(QuotedOverride("hydra.run.dir", pins.directory));
  }
  auto composed = ComposeFor(hydra, streams, pins.now);
  if (!composed.ok()) return composed.error();
  RunSetup setup;
  setup.composed = std::move(composed).value();
  config::Workspace& workspace = setup.composed->workspace;
  config::Result<config::Job> job =
      config::PrepareJob(workspace, setup.composed->composition,
                         setup.composed->here.request.working_directory);
  if (!job.ok()) return Fail(streams, job.error());
  setup.job = std::move(job).value();
  config::Node& config = *setup.job.config;
  auto plan = Plan(workspace, config, streams);
  if (!plan.ok()) return plan.error();
  setup.plan = std::move(plan).value();
  setup.config_yaml = config::DumpYaml(config::ToValue(config));
  config::Result<config::Value> resolved = config::ToResolvedValue(workspace, config);
  if (!resolved.ok()) return Fail(streams, resolved.error());
  setup.resolved_config_yaml = config::DumpYaml(resolved.value());
  PrintWarnings(streams, workspace);
  pipeline::PlanStages(setup.plan, artifacts::RunDir(setup.job.output_directory));
  return setup;
}

}  // namespace ridgeline::app
