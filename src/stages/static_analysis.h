#pragma once

#include <memory>

#include "pipeline/stage.h"

namespace ridgeline::stages {

// Parameters, FLOPs and bytes from the model's shapes.
config::Result<std::unique_ptr<pipeline::Stage>> MakeStaticAnalysis(
    const pipeline::StageConfig& config);

pipeline::KeyGroup StaticAnalysisKeys();

}  // namespace ridgeline::stages
