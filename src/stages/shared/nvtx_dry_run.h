// Checks, before a capture that waits for an NVTX range, that the workload opens that
// range at all. It is run once under our own NVTX library, without any GPU tool. Times
// measured there are never used as results.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/stage.h"
#include "pipeline/stage_context.h"

namespace ridgeline::stages {

// Adds the dry run to `plan`, or a note why there is none.
void PlanNvtxDryRun(const pipeline::StagePlace& place,
                    const pipeline::CaptureLimits& limits, pipeline::StagePlan& plan);

// Executes it, if it is in `plan()`, and fails if one of the expressions (--nvtx-capture)
// would match nothing, listing the existing ranges. Writes nvtx_ranges.txt.
Status CheckNvtxCapture(pipeline::StageContext& context,
                        const pipeline::CaptureLimits& limits,
                        const std::vector<std::string>& expressions);

}  // namespace ridgeline::stages
