// Before a capture that waits for an NVTX range: does the workload open that range at
// all? It is run once under our own NVTX library, which costs no GPU tool's time. What
// the ranges took there is never a result.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/stage.h"
#include "pipeline/stage_context.h"

namespace ridgeline::stages {

// Adds the run to `plan`, or why there is none.
void PlanNvtxDryRun(const pipeline::StagePlace& place,
                    const pipeline::CaptureLimits& limits, pipeline::StagePlan& plan);

// Does it, if `plan()` has it, and fails if one of the expressions (--nvtx-capture) would
// match nothing, with the ranges that there are. The list goes to nvtx_ranges.txt.
Status CheckNvtxCapture(pipeline::StageContext& context,
                        const pipeline::CaptureLimits& limits,
                        const std::vector<std::string>& expressions);

}  // namespace ridgeline::stages
