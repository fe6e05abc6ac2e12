// metrics.json of a built-in model, read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/statistics.h"
#include "base/result.h"

namespace ridgeline::report {

// One quantity over all samples: "decode_s", "decode_tokens_per_s".
struct MeasuredQuantity {
  std::string name;
  analysis::Summary summary;
  std::optional<analysis::Drift> drift;
};

struct ModelMetrics {
  std::string model;
  std::string device;
  int64_t warmup_rounds = 0;
  int64_t repeats = 0;
  int64_t pages = 0;    // Unique ones.
  int64_t samples = 0;  // Pages x repeats x epochs.
  int64_t generated_tokens = 0;
  int64_t peak_rss_bytes = 0;
  std::vector<MeasuredQuantity> quantities;  // In the order of the file.
};

// Null if it was not measured.
const MeasuredQuantity* Find(const ModelMetrics& metrics, std::string_view quantity);

Result<ModelMetrics> ParseModelMetrics(std::string_view json, std::string_view origin);

}  // namespace ridgeline::report
