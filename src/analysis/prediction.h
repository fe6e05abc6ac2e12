// Predicted time of a sample, or a batch of them, on another device: at least its
// roofline time; given a measured run, also an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/model_efficiency.h"
#include "cost/ledger.h"
#include "cost/roofline.h"

namespace ridgeline::analysis {

struct TimeInterval {
  double low_s = 0;
  double high_s = 0;
};

// The bound divided by the efficiency reached by the run. Both ends are widened by a
// factor of 1 + 1 / samples: 2 for one sample, 1.05 for twenty. The lower end stays above
// the bound unless the run itself beat its bound.
TimeInterval Expect(double lower_s, const Efficiency& efficiency);

// Roofline times if decode steps read more than the minimum number of experts: the
// expected number with uniform routing, and the maximum.
struct RoutedBounds {
  std::optional<double> uniform_s;
  std::optional<double> most_s;
};

struct PhasePrediction {
  std::string name;  // vision, prefill, decode, page: over all pages of the batch
  cost::RooflineTime bounds;
  RoutedBounds routed;                   // Equal to the bound for a batch of one page.
  std::optional<TimeInterval> expected;  // For the page: only if every phase has one.
};

// The phases of the estimate, then their sum as "end_to_end". `measured` may be null. It
// processed its samples one by one: the effect of batching on efficiency is unknown and
// not part of the interval.
std::vector<PhasePrediction> PredictPhases(const cost::Estimate& estimate,
                                           const cost::PeakRates& rates,
                                           const MeasuredRun* measured);

}  // namespace ridgeline::analysis
