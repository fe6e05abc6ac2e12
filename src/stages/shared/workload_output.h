#pragma once

#include "base/result.h"
#include "pipeline/stage_context.h"

namespace ridgeline::stages {

// Links the workload's output of a capture, below <run>/tmp/workload/<stage>/, into
// <run>/tmp/workload/torch_profiler/, where earlier runners wrote it. Of several
// captures, the last one wins.
Status LinkWorkloadOutput(const pipeline::StagePlace& place);

}  // namespace ridgeline::stages
