#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/model_efficiency.h"
#include "profiles/model_metrics.h"
#include "profiles/operators/operator_profile.h"
#include "report/sections/operators.h"

namespace ridgeline::report {

// What the stage torch_profiler found out.
struct ProfileReport {
  profiles::ModelMetrics metrics;                    // With FLOPs, of a Python program.
  std::optional<profiles::OperatorProfile> profile;  // Nothing: nothing was recorded.
  std::optional<analysis::MeasuredRun> efficiency;  // Against the ceilings of the device.
  std::string why_no_efficiency;                    // If there is none.
  std::vector<OperatorDeviceTime> device_times;     // None: no GPU in the trace.
};

// report.md: times with their confidence intervals, utilisation, breakdown of the time.
std::string ReportMarkdown(const ProfileReport& report);

// Quantities that changed while they were measured, a sentence each.
std::vector<std::string> DriftWarnings(const profiles::ModelMetrics& metrics);

// stakeholder_summary.md: what was measured, for people who decide. Every sentence rests
// on a number of this run.
std::string StakeholderSummary(const ProfileReport& report);

}  // namespace ridgeline::report
