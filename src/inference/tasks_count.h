#pragma once

#include "base/result.h"
#include "inference/options.h"
#include "inference/tasks_run.h"

namespace ridgeline::inference {

// Reads one page, made up or the first of the dataset, and writes dispatcher.json: the
// FLOPs of the products of matrices that libtorch was given, by phase, scope and class.
Status CountOps(const Options& options, const RunPlace& place,
                inference::LoadSession load);

}  // namespace ridgeline::inference
