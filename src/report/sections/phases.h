#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/model_efficiency.h"
#include "profiles/model_metrics.h"
#include "profiles/operators/operator_profile.h"
#include "report/sections/operators.h"

namespace ridgeline::report {

// Results of the stage torch_profiler.
struct ProfileReport {
  profiles::ModelMetrics metrics;                    // With FLOPs, for a Python program.
  std::optional<profiles::OperatorProfile> profile;  // nullopt: nothing was recorded.
  std::optional<analysis::MeasuredRun> efficiency;   // Relative to the device's ceilings.
  std::string why_no_efficiency;                     // Set if there is none.
  std::vector<OperatorDeviceTime> device_times;      // Empty: no GPU in the trace.
};

// report.md: times with confidence intervals, utilization, breakdown of the time.
std::string ReportMarkdown(const ProfileReport& report);

// Quantities that drifted during the measurement, one sentence each.
std::vector<std::string> DriftWarnings(const profiles::ModelMetrics& metrics);

// stakeholder_summary.md: results for decision makers. Every sentence is based on a
// number of this run.
std::string StakeholderSummary(const ProfileReport& report);

}  // namespace ridgeline::report
