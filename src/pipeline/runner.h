#pragma once

#include <optional>

#include "base/result.h"
#include "pipeline/manifest_writer.h"
#include "pipeline/run_plan.h"
#include "pipeline/stage_context.h"

namespace ridgeline::pipeline {

struct RunOutcome {
  int failed_stages = 0;
  std::optional<int> interrupted_by;         // Signal number.
  std::optional<ErrorCode> could_not_start;  // For a program a stage needed.
};

// Runs every stage of the plan that is enabled and not yet done. A failed stage is
// recorded and the run continues, except for stages that need it: a partial profile is
// better than none. An error means that the run directory could not be written.
Result<RunOutcome> RunStages(const RunPlan& plan, const RunServices& services,
                             ManifestWriter& manifest);

}  // namespace ridgeline::pipeline
