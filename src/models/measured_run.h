// Efficiency of a measured run of a model, from the files of the run.
#pragma once

#include <filesystem>

#include "analysis/model_efficiency.h"
#include "base/result.h"
#include "models/model.h"
#include "profiles/model_metrics.h"
#include "profiles/static_compute.h"

namespace ridgeline::models {

// Results of static analysis needed to count the samples of a run.
struct RunBasis {
  std::string device;
  cost::PeakRates ceilings;
  cost::PreprocessOptions preprocess;
  cost::ByteWidths bytes;
  int64_t text_tokens = 0;  // In the prompt.
};
RunBasis BasisOf(const cost::Estimate& estimate, const hardware::DeviceCeilings& device);

// The shape of each sample follows from its token counts. Fails if the ceilings of the
// run are unknown: without them, predictions for another device are impossible.
Result<analysis::MeasuredRun> MeasureRun(const Model& model, const RunBasis& basis,
                                         const profiles::ModelMetrics& metrics);

// The same from static_compute.json and metrics.json of one run.
Result<analysis::MeasuredRun> MeasureRun(std::string_view static_json,
                                         std::string_view metrics_json);

// The same for a run directory; `metrics` is the model's metrics file below it.
Result<analysis::MeasuredRun> ReadMeasuredRun(
    const std::filesystem::path& run_directory,
    const std::filesystem::path& metrics = "direct_inference/metrics.json");

}  // namespace ridgeline::models
