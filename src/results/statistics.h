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
  std::optional<double> deviation;  // Sample stddev (n - 1); empty for one value.
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double min = 0;
  double max = 0;
  // 95 % confidence interval of the mean (percentile bootstrap, 2,000 resamples,
  // deterministic). Empty if there are too few values to resample.
  std::optional<ConfidenceInterval> mean_interval;

  bool operator==(const Summary&) const = default;
};

// A trend over the order of measurement: a machine that heats up, a neighbor that becomes
// active. The mean then does not describe any single state.
struct Drift {
  double change = 0;  // From first to last, as a fraction of the median.
  double z = 0;       // Mann-Kendall test: |z| > 2.58 has a 1 % chance of being random.

  bool operator==(const Drift&) const = default;
};

}  // namespace ridgeline::results
