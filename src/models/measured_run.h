// The efficiency of a measured run of a model, from its own files.
#pragma once

#include <filesystem>

#include "analysis/model_efficiency.h"
#include "base/result.h"
#include "models/model.h"
#include "profiles/model_metrics.h"
#include "profiles/static_compute.h"

namespace ridgeline::models {

// What of a run's static analysis is needed to count its samples.
struct RunBasis {
  std::string device;
  cost::PeakRates ceilings;
  cost::PreprocessOptions preprocess;
  cost::ByteWidths bytes;
  int64_t text_tokens = 0;  // Of the prompt.
};
RunBasis BasisOf(const cost::Estimate& estimate, const hardware::DeviceCeilings& device);

// The shape of each sample follows from its numbers of tokens. An error if ceilings of
// the run are not known: without them nothing can be said of another device.
Result<analysis::MeasuredRun> MeasureRun(const Model& model, const RunBasis& basis,
                                         const profiles::ModelMetrics& metrics);

// The same from static_compute.json and metrics.json of one run.
Result<analysis::MeasuredRun> MeasureRun(std::string_view static_json,
                                         std::string_view metrics_json);

// The same of a run's directory; `metrics` is the file below it that the model wrote.
Result<analysis::MeasuredRun> ReadMeasuredRun(
    const std::filesystem::path& run_directory,
    const std::filesystem::path& metrics = "direct_inference/metrics.json");

}  // namespace ridgeline::models
