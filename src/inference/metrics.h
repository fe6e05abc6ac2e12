#pragma once

#include <cstdint>

#include "inference/options.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/model_metrics.h"

namespace ridgeline::inference {

// Sample for one page. `wall_s`: from opening the image to the last token.
profiles::ModelSample SampleOf(const predictions::Prediction& page, int64_t repeat,
                               double wall_s);

// Metrics of a run before its first page.
profiles::ModelMetrics EmptyMetrics(const Options& options);

}  // namespace ridgeline::inference
