// The stage torch_profiler of a Python program: its calls without a profiler, for the
// times, then one call under torch.profiler, for the breakdown. Both are whole runs of
// the program with the Python agent.
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/ceilings.h"
#include "pipeline/stage_context.h"
#include "report/sections/phases.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {

struct PythonProfileOptions {
  bool records = true;  // false: only the unprofiled calls.
  bool group_by_input_shape = false;
  int64_t warmup_calls = 2;
  hardware::DeviceRequest device;  // Whose ceilings count.
};

pipeline::StagePlan PlanPythonProfile(const pipeline::StagePlace& place,
                                      const PythonProfileOptions& options);

// Fills `report` from both runs, writes trace.json.gz, operator_profile.json and
// metrics.json. Nothing: the stage is done with `outcome`, because there is nothing to
// measure.
struct PythonProfileResult {
  report::ProfileReport report;
  std::optional<pipeline::StageOutcome> outcome;
  std::optional<NotObserved> no_trace;  // Why there are times, but no profile.
};
Result<PythonProfileResult> RunPythonProfile(pipeline::StageContext& context,
                                             const PythonProfileOptions& options);

}  // namespace ridgeline::stages
