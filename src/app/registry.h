// All stages and configuration keys of this build. To add a stage, add its file to
// stages/ and a line here.
#pragma once

#include <span>
#include <vector>

#include "pipeline/config_schema.h"
#include "pipeline/run_plan.h"
#include "pipeline/stage.h"

namespace ridgeline::app {

// In execution order.
std::span<const pipeline::StageEntry> Stages();

pipeline::MakeWorkload WorkloadMaker();

// Every configuration key, by owner: run, workloads, stages.
std::vector<pipeline::KeyGroup> KeyGroups();

// pipeline::CheckConfig with all keys.
std::vector<config::Error> CheckConfig(
    config::Workspace& workspace, config::Node& job_config,
    pipeline::UnknownKeys unknown = pipeline::UnknownKeys::kRefuse);

}  // namespace ridgeline::app
