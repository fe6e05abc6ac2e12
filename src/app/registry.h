// Everything this build can do. A new stage is its file in stages/ and a line here.
#pragma once

#include <span>

#include "pipeline/run_plan.h"
#include "pipeline/stage.h"

namespace ridgeline::app {

// In the order in which they run.
std::span<const pipeline::StageEntry> Stages();

pipeline::MakeWorkload WorkloadMaker();

}  // namespace ridgeline::app
