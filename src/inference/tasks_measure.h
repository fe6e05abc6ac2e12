#pragma once

#include "base/result.h"
#include "inference/options.h"
#include "inference/tasks_run.h"

namespace ridgeline::inference {

// Writes measured_roofs.json: what the GPU of the options does at most. If they choose
// the CPU, or there is no CUDA device, the file says so instead.
Status MeasureRoofs(const Options& options, const RunPlace& place);

// Whether the options choose a GPU that is there.
bool RunsOnGpu(const Options& options);

}  // namespace ridgeline::inference
