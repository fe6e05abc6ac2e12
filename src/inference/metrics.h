#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "inference/options.h"
#include "predictions/predictions_file.h"

namespace ridgeline::inference {

// One page that was read, whichever time it was.
struct Sample {
  int64_t repeat = 0;  // From 0.
  predictions::PagePrediction prediction;
};

// metrics.json: every sample with its times, and their sums.
std::string MetricsJson(std::span<const Sample> samples, const Options& options,
                        int64_t peak_rss_bytes);

}  // namespace ridgeline::inference
