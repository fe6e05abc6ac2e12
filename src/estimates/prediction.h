// How long a page, or a batch of them, takes on another device: never less than its lower
// bound; with a run that was measured, an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/roofline.h"
#include "estimates/measured_run.h"
#include "estimates/page_estimate.h"
#include "hardware/ceilings.h"

namespace ridgeline::estimates {

struct Interval {
  double least_s = 0;
  double most_s = 0;
};

// The bound, divided by what the run made of its own. Both ends are moved outwards by a
// factor of 1 + 1 / samples: one sample says little, twenty move them by 5 %. The lower
// end stays above the bound, unless the run itself was faster than its own.
Interval Expect(double lower_s, const Efficiency& efficiency);

// The least time if decode steps read more than the fewest experts: as many as differ on
// average if each is as likely as any other, and as many as can differ.
struct RoutedBounds {
  std::optional<double> uniform_s;
  std::optional<double> most_s;
};

struct PhasePrediction {
  std::string name;  // vision, prefill, decode, page: of all pages of the batch
  cost::TimeBounds bounds;
  RoutedBounds routed;               // Of one page, the bound again.
  std::optional<Interval> expected;  // Of the page: only if every phase has one.
};

struct Prediction {
  PageEstimate estimate;
  hardware::DeviceRoofs device;
  std::optional<MeasuredRun> measured;
  std::vector<PhasePrediction> phases;

  int64_t pages() const { return estimate.shapes.shapes.batch.pages; }
};

// The measured run read its pages one by one. A batch makes better use of a device, or
// worse: that is not known, and not in the interval.
Prediction Predict(PageEstimate estimate, hardware::DeviceRoofs device,
                   std::optional<MeasuredRun> measured);

std::string ToText(const Prediction& prediction);
std::string ToJson(const Prediction& prediction);

}  // namespace ridgeline::estimates
