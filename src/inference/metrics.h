#pragma once

#include <cstdint>
#include <span>

#include "inference/options.h"
#include "inference/tasks.h"
#include "model_io/predictions/predictions_file.h"
#include "profiles/model_metrics.h"

namespace ridgeline::inference {

// One page that was read, whichever time it was.
struct Sample {
  int64_t repeat = 0;  // From 0.
  double wall_s = 0;   // From opening the picture to the last token.
  predictions::Prediction prediction;
};

// Metrics of a run. Samples are unprofiled; the profiled page is kept separately.
struct RunMetrics {
  std::span<const Sample> samples;
  const ProfiledPage* profiled = nullptr;  // None: nothing was recorded.
  int64_t peak_rss_bytes = 0;
};

// Contents of metrics.json: every sample with its times, and their statistics.
profiles::ModelMetrics MetricsOf(const RunMetrics& run, const Options& options);

}  // namespace ridgeline::inference
