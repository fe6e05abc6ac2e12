#pragma once

#include <memory>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// One representative pass under the operator profiler.
config::Result<std::unique_ptr<pipeline::Stage>> MakeTorchProfiler(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
