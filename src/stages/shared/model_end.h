#pragma once

#include "base/result.h"
#include "os/process_runner.h"
#include "pipeline/stage_context.h"

namespace ridgeline::stages {

// Checks the exit of a built-in model. A parity failure is not a failure of the stage; it
// is recorded with its results.
Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended);

}  // namespace ridgeline::stages
