// efficiency.json and efficiency.md: how well a run used its device, phase by phase, from
// the report of its static analysis and the times of its direct inference.
#pragma once

#include <string>

#include "analysis/model_efficiency.h"

namespace ridgeline::report {

std::string EfficiencyJson(const analysis::MeasuredRun& run);
std::string EfficiencyMarkdown(const analysis::MeasuredRun& run);

// Its table alone, and what its columns mean.
std::string EfficiencyTable(const analysis::MeasuredRun& run);

}  // namespace ridgeline::report
