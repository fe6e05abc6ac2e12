// efficiency.json and efficiency.md: how well a run used its device, phase by phase, from
// the report of its static analysis and the times of its direct inference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "estimates/measured_run.h"

namespace ridgeline::estimates {

// One phase, or whole pages, all samples together.
struct PhaseEfficiency {
  std::string name;  // As in MeasuredRun::totals.
  cost::Cost cost;
  double measured_s = 0;
  cost::TimeBounds bounds;
  cost::Utilization used;
  std::optional<double> distance;  // Measured time / least possible time.
};
std::vector<PhaseEfficiency> EfficienciesOf(const MeasuredRun& run);

std::string EfficiencyJson(const MeasuredRun& run);
std::string EfficiencyMarkdown(const MeasuredRun& run);

// Its table alone, and what its columns mean.
std::string EfficiencyTable(const MeasuredRun& run);

}  // namespace ridgeline::estimates
