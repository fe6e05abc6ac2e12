// How long a page takes on another device: never less than its lower bound; with a run
// that was measured, an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline.h"
#include "estimates/device_roofs.h"
#include "estimates/measured_run.h"
#include "estimates/page_estimate.h"

namespace ridgeline::estimates {

struct Interval {
  double least_s = 0;
  double most_s = 0;
};

// The bound, divided by what the run made of its own. Both ends are moved outwards by a
// factor of 1 + 1 / samples: one sample says little, twenty move them by 5 %. The lower
// end stays above the bound, unless the run itself was faster than its own.
Interval Expect(double lower_s, const Efficiency& efficiency);

struct PhasePrediction {
  std::string name;  // vision, prefill, decode, page
  analysis::TimeBounds bounds;
  std::optional<Interval> expected;  // Of the page: only if every phase has one.
};

struct Prediction {
  PageEstimate estimate;
  DeviceRoofs device;
  std::optional<MeasuredRun> measured;
  std::vector<PhasePrediction> phases;
};

Prediction Predict(PageEstimate estimate, DeviceRoofs device,
                   std::optional<MeasuredRun> measured);

std::string ToText(const Prediction& prediction);
std::string ToJson(const Prediction& prediction);

}  // namespace ridgeline::estimates
