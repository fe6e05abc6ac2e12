#pragma once

#include <cstdint>

#include "inference/options.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/model_metrics.h"

namespace ridgeline::inference {

// One page that was read. `wall_s` is from opening the image to the last token.
profiles::ModelSample SampleOf(const predictions::Prediction& page, int64_t repeat,
                               double wall_s);

// Metrics of a run of which no page has been read yet.
profiles::ModelMetrics EmptyMetrics(const Options& options);

}  // namespace ridgeline::inference
