// The plan, made before anything is run. `ridgeline run --dry-run` prints it and exits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "artifacts/run_dir.h"
#include "config/error.h"
#include "pipeline/stage.h"
#include "pipeline/workload.h"

namespace ridgeline::pipeline {

struct PlannedStage {
  std::string name;
  std::vector<std::string> needs;
  bool enabled = false;
  std::optional<double> timeout_s;
  std::unique_ptr<Stage> stage;  // Null if it is not enabled.
  StagePlan plan;
};

struct RunPlan {
  std::unique_ptr<Workload> workload;
  double grace_s = 10;
  std::vector<PlannedStage> stages;  // All stages, in execution order.
};

using MakeWorkload = config::Result<std::unique_ptr<Workload>> (*)(
    config::Workspace& workspace, config::Node& root);

// The configuration must have passed CheckConfig. Reports all errors at once.
ridgeline::Result<RunPlan, std::vector<config::Error>> PlanRun(
    config::Workspace& workspace, config::Node& root, std::span<const StageEntry> stages,
    MakeWorkload make_workload, ToolAnswers& tools);

// Fills in each stage's plan for a run in `run_dir`.
void PlanStages(RunPlan& plan, const artifacts::RunDir& run_dir);

StagePlace PlaceOf(const RunPlan& plan, const PlannedStage& stage,
                   const artifacts::RunDir& run_dir);

// Text of `ridgeline run --dry-run`.
std::string ToText(const RunPlan& plan, const artifacts::RunDir& run_dir);

}  // namespace ridgeline::pipeline
