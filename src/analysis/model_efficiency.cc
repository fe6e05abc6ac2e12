#include "analysis/model_efficiency.h"

#include <algorithm>
#include <utility>

namespace ridgeline::analysis {
namespace {

constexpr std::string_view kEndToEnd = "end_to_end";

void AddEfficiency(const cost::Cost& cost, const cost::PeakRates& ceilings,
                   double measured_s, std::optional<Efficiency>& efficiency) {
  const std::optional<double> roofline_slowdown =
      cost::UtilizationOf(cost, ceilings, measured_s).roofline_slowdown;
  if (!roofline_slowdown || !(*roofline_slowdown > 0)) return;
  const double value = 1 / *roofline_slowdown;
  if (!efficiency) efficiency = Efficiency{.least = value, .most = value};
  efficiency->least = std::min(efficiency->least, value);
  efficiency->most = std::max(efficiency->most, value);
  ++efficiency->samples;
}

void AddPhase(const MeasuredSample::Phase& phase, MeasuredRun& run) {
  auto found = std::find_if(
      run.totals.begin(), run.totals.end(),
      [&phase](const PhaseTotal& total) { return total.name == phase.name; });
  if (found == run.totals.end()) {
    found = run.totals.insert(run.totals.end(), {phase.name, {}, 0, {}});
  }
  found->cost += phase.cost;
  found->seconds += phase.seconds;
  AddEfficiency(phase.cost, run.ceilings, phase.seconds, found->efficiency);
}

void AddRegion(const RegionCost& region, MeasuredRun& run) {
  const auto found = std::find_if(
      run.regions.begin(), run.regions.end(),
      [&region](const RegionCost& known) { return known.path == region.path; });
  if (found == run.regions.end()) {
    run.regions.push_back(region);
    return;
  }
  found->instances += region.instances;
  found->cost += region.cost;
}

// The roofline time of a page is the sum over its phases, which have different bounds.
cost::RooflineTime RooflineTimeOf(const MeasuredRun& run, const PhaseTotal& total) {
  if (total.name != kEndToEnd) return cost::RooflineTimeOf(total.cost, run.ceilings);
  std::vector<cost::RooflineTime> parts;
  for (const PhaseTotal& phase : run.totals) {
    if (phase.name != kEndToEnd)
      parts.push_back(cost::RooflineTimeOf(phase.cost, run.ceilings));
  }
  return cost::InSequence(parts);
}

std::optional<double> Distance(const cost::RooflineTime& bounds, double seconds) {
  if (!bounds.lower_s || !(*bounds.lower_s > 0) || !(seconds > 0)) return std::nullopt;
  return seconds / *bounds.lower_s;
}

}  // namespace

const PhaseTotal* MeasuredRun::Find(std::string_view phase) const {
  const auto found =
      std::find_if(totals.begin(), totals.end(),
                   [phase](const PhaseTotal& total) { return total.name == phase; });
  return found == totals.end() ? nullptr : &*found;
}

void AddSample(const MeasuredSample& sample, MeasuredRun& run) {
  for (const MeasuredSample::Phase& phase : sample.phases) AddPhase(phase, run);
  for (const RegionCost& region : sample.regions) AddRegion(region, run);
  ++run.samples;
}

void AddPageTotal(MeasuredRun& run) {
  PhaseTotal page = {.name = std::string(kEndToEnd), .cost = {}, .seconds = 0};
  for (const PhaseTotal& total : run.totals) {
    page.cost += total.cost;
    page.seconds += total.seconds;
  }
  run.totals.push_back(std::move(page));
}

std::vector<PhaseEfficiency> EfficienciesOf(const MeasuredRun& run) {
  std::vector<PhaseEfficiency> phases;
  for (const PhaseTotal& total : run.totals) {
    const cost::RooflineTime bounds = RooflineTimeOf(run, total);
    phases.push_back({total.name, total.cost, total.seconds, bounds,
                      cost::UtilizationOf(total.cost, run.ceilings, total.seconds),
                      Distance(bounds, total.seconds)});
  }
  return phases;
}

}  // namespace ridgeline::analysis
