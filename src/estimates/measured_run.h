// How near to its lower bounds a run of the model came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/cost.h"
#include "cost/roofline.h"

namespace ridgeline::estimates {

// Lower bound / measured time, over samples. Above 0; 1 would be perfect, and more is
// possible only where weights fit into a cache.
struct Efficiency {
  double least = 0;
  double most = 0;
  size_t samples = 0;  // At least 1.
};

// All samples of a phase together.
struct PhaseTotal {
  std::string name;  // vision, prefill (without vision), decode, page
  cost::Cost cost;
  double seconds = 0;
};

// A region that the model opens for profilers ("prefill/sam"), all samples together.
struct RegionCost {
  std::string path;
  int64_t instances = 0;
  cost::Cost cost;
};

struct MeasuredRun {
  std::string device;  // As the run's report names it.
  cost::RoofRates roofs;
  std::vector<PhaseTotal> totals;  // Of the phases, then of whole pages.
  std::vector<RegionCost> regions;
  size_t samples = 0;
  // Nothing: no sample of it was measured.
  std::optional<Efficiency> vision;
  std::optional<Efficiency> prefill;  // Without vision.
  std::optional<Efficiency> decode;
};

// From static_compute.json and direct_inference's metrics.json of one run. The shapes of
// each sample follow from its numbers of tokens. An error if roofs of the run are not
// known: without them nothing can be said of another device.
Result<MeasuredRun> MeasureRun(std::string_view static_json,
                               std::string_view metrics_json);

// The same of a run's directory; `metrics` is the file below it that the model wrote.
Result<MeasuredRun> ReadMeasuredRun(
    const std::filesystem::path& run_directory,
    const std::filesystem::path& metrics = "direct_inference/metrics.json");

}  // namespace ridgeline::estimates
