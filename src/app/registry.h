// Everything this build can do. A new stage is its file in stages/ and a line here.
#pragma once

#include <span>
#include <vector>

#include "pipeline/config_schema.h"
#include "pipeline/run_plan.h"
#include "pipeline/stage.h"

namespace ridgeline::app {

// In the order in which they run.
std::span<const pipeline::StageEntry> Stages();

pipeline::MakeWorkload WorkloadMaker();

// Every configuration key, by owner: run, workloads, stages.
std::vector<pipeline::KeyGroup> KeyGroups();

// pipeline::CheckConfig with all of them.
std::vector<config::Error> CheckConfig(
    config::Workspace& workspace, config::Node& job_config,
    pipeline::UnknownKeys unknown = pipeline::UnknownKeys::kRefuse);

}  // namespace ridgeline::app
