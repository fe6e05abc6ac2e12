// Statistics of repeated measurements; analysis/statistics.h computes them.
#pragma once

#include <cstddef>
#include <optional>

namespace ridgeline::results {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  bool operator==(const ConfidenceInterval&) const = default;
};

struct Summary {
  size_t count = 0;  // At least 1.
  double mean = 0;
  std::optional<double> deviation;  // Of the sample (n - 1); nothing of one value.
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double min = 0;
  double max = 0;
  // Where the mean lies with 95 % confidence, by resampling (percentile bootstrap, 2,000
  // resamples, the same ones each time). Nothing of too few values to resample.
  std::optional<ConfidenceInterval> mean_interval;

  bool operator==(const Summary&) const = default;
};

// A trend over the order in which values were measured: a machine that gets warm, a
// neighbour that wakes up. Their mean is then the mean of no one state.
struct Drift {
  double change = 0;  // From the first to the last, as a share of the median.
  double z = 0;       // Of the Mann-Kendall test: beyond 2.58 one in a hundred by chance.

  bool operator==(const Drift&) const = default;
};

}  // namespace ridgeline::results
