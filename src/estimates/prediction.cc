#include "estimates/prediction.h"

#include <algorithm>
#include <utility>

namespace ridgeline::estimates {
namespace {

using cost::TimeBounds;

// What a phase costs with the fewest experts, with those of uniform routing, and with as
// many as can be.
struct PhaseCosts {
  const cost::Cost& least;
  const cost::Cost& uniform;
  const cost::Cost& most;

  static PhaseCosts Same(const cost::Cost& cost) { return {cost, cost, cost}; }
};

PhasePrediction PredictPhase(const char* name, const PhaseCosts& costs,
                             const cost::RoofRates& rates,
                             const std::optional<Efficiency>& efficiency) {
  PhasePrediction phase = {.name = name,
                           .bounds = cost::BoundsOf(costs.least, rates),
                           .routed = {cost::BoundsOf(costs.uniform, rates).lower_s,
                                      cost::BoundsOf(costs.most, rates).lower_s},
                           .expected = {}};
  if (phase.bounds.lower_s && phase.routed.most_s && efficiency) {
    phase.expected =
        Interval{.least_s = Expect(*phase.bounds.lower_s, *efficiency).least_s,
                 .most_s = Expect(*phase.routed.most_s, *efficiency).most_s};
  }
  return phase;
}

std::optional<double> Sum(const std::optional<double>& a,
                          const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

PhasePrediction WholePage(const std::vector<PhasePrediction>& phases) {
  std::vector<TimeBounds> parts;
  RoutedBounds routed = {0.0, 0.0};
  std::optional<Interval> expected = Interval{};
  for (const PhasePrediction& phase : phases) {
    parts.push_back(phase.bounds);
    routed = {Sum(routed.uniform_s, phase.routed.uniform_s),
              Sum(routed.most_s, phase.routed.most_s)};
    const bool costs_nothing = phase.bounds.lower_s == 0.0;
    if (expected && phase.expected) {
      expected->least_s += phase.expected->least_s;
      expected->most_s += phase.expected->most_s;
    } else if (!costs_nothing) {
      expected.reset();
    }
  }
  return {"page", cost::InSequence(parts), routed, expected};
}

}  // namespace

Interval Expect(double lower_s, const Efficiency& efficiency) {
  const double widening = 1 + 1.0 / static_cast<double>(efficiency.samples);
  Interval interval = {.least_s = lower_s / efficiency.most / widening,
                       .most_s = lower_s / efficiency.least * widening};
  if (efficiency.most <= 1) interval.least_s = std::max(interval.least_s, lower_s);
  return interval;
}

Prediction Predict(PageEstimate estimate, hardware::DeviceRoofs device,
                   std::optional<MeasuredRun> measured) {
  const cost::RoofRates rates = device.rates();
  const MeasuredRun run = measured.value_or(MeasuredRun{});
  const models::deepseek_ocr::Ledger& ledger = estimate.ledger;
  std::vector<PhasePrediction> phases = {
      PredictPhase("vision", PhaseCosts::Same(ledger.vision.cost), rates, run.vision),
      PredictPhase("prefill", PhaseCosts::Same(ledger.prefill.cost), rates, run.prefill),
      PredictPhase("decode",
                   {ledger.decode.cost, estimate.decode_uniform, estimate.decode_most},
                   rates, run.decode)};
  phases.push_back(WholePage(phases));
  return {std::move(estimate), std::move(device), std::move(measured), std::move(phases)};
}

}  // namespace ridgeline::estimates
