// efficiency.json and efficiency.md: how well a run used its device, phase by phase, from
// the report of its static analysis and the times of its direct inference.
#pragma once

#include <string>

#include "estimates/measured_run.h"

namespace ridgeline::estimates {

std::string EfficiencyJson(const MeasuredRun& run);
std::string EfficiencyMarkdown(const MeasuredRun& run);

// Its table alone, and what its columns mean.
std::string EfficiencyTable(const MeasuredRun& run);

}  // namespace ridgeline::estimates
