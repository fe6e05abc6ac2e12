#pragma once

#include <memory>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// One page under the recorder of operators, and the dataset, repeated, without it: where
// the time goes, and times to trust. The model does both in one process, after one
// warm-up; reports are made here from what it leaves.
config::Result<std::unique_ptr<pipeline::Stage>> MakeTorchProfiler(
    const pipeline::StageConfig& config);

}  // namespace ridgeline::stages
