// How long a sample, or a batch of them, takes on another device: never less than its
// roofline time; with a run that was measured, an interval.
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

// The bound divided by the efficiency that the run reached. Both ends are widened by a
// factor of 1 + 1 / samples: 2 for one sample, 1.05 for twenty. The lower end stays above
// the bound, unless the run itself beat its bound.
TimeInterval Expect(double lower_s, const Efficiency& efficiency);

// Roofline times if decode steps read more than the minimum number of experts: the
// expected number with uniform routing, and the maximum.
struct RoutedBounds {
  std::optional<double> uniform_s;
  std::optional<double> most_s;
};

struct PhasePrediction {
  std::string name;  // vision, prefill, decode, page: of all pages of the batch
  cost::RooflineTime bounds;
  RoutedBounds routed;                   // Of one page, the bound again.
  std::optional<TimeInterval> expected;  // Of the page: only if every phase has one.
};

// The phases of the estimate, then all of them as "end_to_end". `measured` may be null.
// It processed its samples one by one: a batch makes better use of a device, or worse;
// that is not known, and not in the interval.
std::vector<PhasePrediction> PredictPhases(const cost::Estimate& estimate,
                                           const cost::PeakRates& rates,
                                           const MeasuredRun* measured);

}  // namespace ridgeline::analysis
