#pragma once

#include <optional>

#include "base/result.h"
#include "pipeline/manifest_writer.h"
#include "pipeline/run_plan.h"
#include "pipeline/stage_context.h"

namespace ridgeline::pipeline {

struct RunOutcome {
  int failed_stages = 0;
  std::optional<int> interrupted_by;         // A signal's number.
  std::optional<ErrorCode> could_not_start;  // Of a program that a stage needed.
};

// Runs every stage of the plan that is enabled and not done already. A failed
// stage is recorded and the run continues, except for stages that need it: half a profile
// is worth more than none. An error means that the run directory could not be written.
Result<RunOutcome> RunStages(const RunPlan& plan, const RunServices& services,
                             ManifestWriter& manifest);

}  // namespace ridgeline::pipeline
