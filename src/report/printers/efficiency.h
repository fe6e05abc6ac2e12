// efficiency.json and efficiency.md: how well a run used its device, by phase, from the
// report of its static analysis and the times of its direct inference.
#pragma once

#include <string>

#include "analysis/model_efficiency.h"

namespace ridgeline::report {

std::string EfficiencyJson(const analysis::MeasuredRun& run);
std::string EfficiencyMarkdown(const analysis::MeasuredRun& run);

// Only the table, with the meaning of its columns.
std::string EfficiencyTable(const analysis::MeasuredRun& run);

}  // namespace ridgeline::report
