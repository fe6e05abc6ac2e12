// Stage torch_profiler for Python programs: calls without a profiler, for the times, then
// one call under torch.profiler, for the breakdown. Both are complete runs of the program
// with the Python agent.
#pragma once

#include <string>

#include "base/result.h"
#include "hardware/ceilings.h"
#include "pipeline/stage_context.h"
#include "report/sections/phases.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {

struct PythonProfileOptions {
  bool records = true;  // False: only the unprofiled calls.
  bool group_by_input_shape = false;
  int64_t warmup_calls = 2;
  hardware::DeviceRequest device;  // Device with the ceilings.
};

pipeline::StagePlan PlanPythonProfile(const pipeline::StagePlace& place,
                                      const PythonProfileOptions& options);

// Fills `report` from both runs, writes trace.json.gz, operator_profile.json and
// metrics.json. nullopt: the stage ends with `outcome`, because there is nothing to
// measure.
struct PythonProfileResult {
  report::ProfileReport report;
  std::optional<pipeline::StageOutcome> outcome;
  std::optional<NotObserved> no_trace;  // Why there are times but no profile.
};
Result<PythonProfileResult> RunPythonProfile(pipeline::StageContext& context,
                                             const PythonProfileOptions& options);

}  // namespace ridgeline::stages
