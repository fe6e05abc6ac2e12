// How close a run of the model came to its roofline times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/cost.h"
#include "cost/roofline.h"

namespace ridgeline::analysis {

// Roofline time / measured time, over samples. Above 0; 1 is perfect, and more is
// possible only if weights fit into a cache.
struct Efficiency {
  double least = 0;
  double most = 0;
  size_t samples = 0;  // At least 1.
};

// One phase, over all samples.
struct PhaseTotal {
  std::string name;  // A phase of the model, or "end_to_end" for whole samples.
  cost::Cost cost;
  double seconds = 0;
  std::optional<Efficiency> efficiency;  // nullopt: no sample of it was measured.
};

// A region that the model opens for profilers ("prefill/sam"), over all samples.
struct RegionCost {
  std::string path;
  int64_t instances = 0;
  cost::Cost cost;
};

struct MeasuredRun {
  std::string device;  // As named in the report of the run.
  cost::PeakRates ceilings;
  std::vector<PhaseTotal> totals;  // Phases, then whole samples ("end_to_end").
  std::vector<RegionCost> regions;
  size_t samples = 0;

  // Null: no such phase.
  const PhaseTotal* Find(std::string_view phase) const;
};

// Cost and measured time of one sample.
struct MeasuredSample {
  struct Phase {
    std::string name;
    cost::Cost cost;
    double seconds = 0;  // 0: not measured.
  };
  std::vector<Phase> phases;
  std::vector<RegionCost> regions;  // Unique paths.
};

void AddSample(const MeasuredSample& sample, MeasuredRun& run);

// Sums the phases into the total "end_to_end". Call after the last sample.
void AddPageTotal(MeasuredRun& run);

// One phase, or whole pages, over all samples.
struct PhaseEfficiency {
  std::string name;  // As in MeasuredRun::totals.
  cost::Cost cost;
  double measured_s = 0;
  cost::RooflineTime bounds;
  cost::Utilization used;
  std::optional<double> roofline_slowdown;  // Measured time / roofline time.
};
std::vector<PhaseEfficiency> EfficienciesOf(const MeasuredRun& run);

}  // namespace ridgeline::analysis
