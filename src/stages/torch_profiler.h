#pragma once

#include <memory>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// One page under the operator recorder, for the breakdown, and repeated passes over the
// dataset without it, for the times. The model does both in one process after one
// warm-up; this stage writes the reports from its output.
config::Result<std::unique_ptr<pipeline::Stage>> MakeTorchProfiler(
    const pipeline::StageConfig& config);

pipeline::KeyGroup TorchProfilerKeys();

}  // namespace ridgeline::stages
