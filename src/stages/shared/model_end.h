#pragma once

#include "base/result.h"
#include "os/process_runner.h"
#include "pipeline/stage_context.h"
#include "profiles/model_metrics.h"

namespace ridgeline::stages {

// Checks the exit of a built-in model. If it failed, keeps its finished work:
// metrics.json is written for the pages that are done. A parity failure is not a failure
// of the stage; it is recorded with its results.
Status CheckModelEnd(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& command,
                     const os::ProcessResult& ended);

// Parity of a capture of a built-in model: parity.json becomes a file of the stage. A
// capture truncated by its limits is not comparable, which is only noted.
Status TakeCaptureParity(pipeline::StageContext& context);

// Adds caveats for readers of the numbers: skipped pages, a measurement in several
// sessions.
void NotePages(const profiles::ModelMetrics& metrics, pipeline::StageContext& context);

}  // namespace ridgeline::stages
