#pragma once

#include "base/result.h"
#include "os/process_runner.h"
#include "pipeline/stage_context.h"

namespace ridgeline::stages {

// Judges how a built-in model ended. That it did not say what a reference says is no
// failure of the stage, but noted with its results.
Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended);

}  // namespace ridgeline::stages
