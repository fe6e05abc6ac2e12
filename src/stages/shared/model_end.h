#pragma once

#include "base/result.h"
#include "os/process_runner.h"
#include "pipeline/stage_context.h"
#include "profiles/model_metrics.h"

namespace ridgeline::stages {

// Checks the exit of a built-in model. What one that did not end well has finished is
// kept: metrics.json is written for the pages that are done. A parity failure is not a
// failure of the stage; it is recorded with its results.
Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended);

// Parity of a capture of a built-in model: parity.json becomes a file of the stage. A
// capture that its limits cut off is not comparable, which is only noted.
Status TakeCaptureParity(pipeline::StageContext& context);

// Adds what a reader of the numbers must know: pages that were skipped, a measurement in
// several sessions.
void NotePages(const profiles::ModelMetrics& metrics, pipeline::StageContext& context);

}  // namespace ridgeline::stages
