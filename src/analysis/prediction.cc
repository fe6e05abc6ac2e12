#include "analysis/prediction.h"

#include <algorithm>
#include <utility>

namespace ridgeline::analysis {
namespace {

using cost::RooflineTime;

// Cost of a phase with the minimum number of experts, with uniform routing, and with the
// maximum number.
struct PhaseCosts {
  const cost::Cost& least;
  const cost::Cost& uniform;
  const cost::Cost& most;

  static PhaseCosts Same(const cost::Cost& cost) { return {cost, cost, cost}; }
};

PhasePrediction PredictPhase(const std::string& name, const PhaseCosts& costs,
                             const cost::PeakRates& rates,
                             const std::optional<Efficiency>& efficiency) {
  PhasePrediction phase = {.name = name,
                           .bounds = cost::RooflineTimeOf(costs.least, rates),
                           .routed = {cost::RooflineTimeOf(costs.uniform, rates).lower_s,
                                      cost::RooflineTimeOf(costs.most, rates).lower_s},
                           .expected = {}};
  if (phase.bounds.lower_s && phase.routed.most_s && efficiency) {
    phase.expected =
        TimeInterval{.low_s = Expect(*phase.bounds.lower_s, *efficiency).low_s,
                     .high_s = Expect(*phase.routed.most_s, *efficiency).high_s};
  }
  return phase;
}

std::optional<double> Sum(const std::optional<double>& a,
                          const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

PhasePrediction WholePage(const std::vector<PhasePrediction>& phases) {
  std::vector<RooflineTime> parts;
  RoutedBounds routed = {0.0, 0.0};
  std::optional<TimeInterval> expected = TimeInterval{};
  for (const PhasePrediction& phase : phases) {
    parts.push_back(phase.bounds);
    routed = {Sum(routed.uniform_s, phase.routed.uniform_s),
              Sum(routed.most_s, phase.routed.most_s)};
    const bool costs_nothing = phase.bounds.lower_s == 0.0;
    if (expected && phase.expected) {
      expected->low_s += phase.expected->low_s;
      expected->high_s += phase.expected->high_s;
    } else if (!costs_nothing) {
      expected.reset();
    }
  }
  return {"end_to_end", cost::InSequence(parts), routed, expected};
}

}  // namespace

TimeInterval Expect(double lower_s, const Efficiency& efficiency) {
  const double widening = 1 + 1.0 / static_cast<double>(efficiency.samples);
  TimeInterval interval = {.low_s = lower_s / efficiency.most / widening,
                           .high_s = lower_s / efficiency.least * widening};
  if (efficiency.most <= 1) interval.low_s = std::max(interval.low_s, lower_s);
  return interval;
}

std::vector<PhasePrediction> PredictPhases(const cost::Estimate& estimate,
                                           const cost::PeakRates& rates,
                                           const MeasuredRun* measured) {
  std::vector<PhasePrediction> phases;
  for (const cost::CostNode& phase : estimate.ledger.phases) {
    const PhaseTotal* const total =
        measured == nullptr ? nullptr : measured->Find(phase.name);
    const PhaseCosts costs =
        phase.name == "decode"
            ? PhaseCosts{phase.cost, estimate.decode_uniform, estimate.decode_most}
            : PhaseCosts::Same(phase.cost);
    phases.push_back(PredictPhase(phase.name, costs, rates,
                                  total == nullptr ? std::nullopt : total->efficiency));
  }
  phases.push_back(WholePage(phases));
  return phases;
}

}  // namespace ridgeline::analysis
