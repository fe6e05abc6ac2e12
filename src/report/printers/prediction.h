// The output of `ridgeline predict`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/prediction.h"
#include "hardware/ceilings.h"

namespace ridgeline::report {

struct Prediction {
  cost::Estimate estimate;
  hardware::DeviceCeilings device;
  std::optional<analysis::MeasuredRun> measured;
  std::vector<analysis::PhasePrediction> phases;

  int64_t pages() const { return estimate.shape.batch.samples; }
};

Prediction MakePrediction(cost::Estimate estimate, hardware::DeviceCeilings device,
                          std::optional<analysis::MeasuredRun> measured);

std::string ToText(const Prediction& prediction);
std::string ToJson(const Prediction& prediction);

}  // namespace ridgeline::report
