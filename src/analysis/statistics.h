// What can honestly be said of repeated measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/rows.h"

namespace ridgeline::analysis {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
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
  // resamples, the same ones each time). Nothing below kLeastForInterval values: fewer
  // have nothing to resample.
  std::optional<ConfidenceInterval> mean_interval;
};

inline constexpr size_t kLeastForInterval = 3;

// Quantiles between two values are interpolated, as numpy's are. `values`: not empty.
Summary Summarize(std::span<const double> values);

// A trend over the order in which values were measured: a machine that gets warm, a
// neighbour that wakes up. Their mean is then the mean of no one state.
struct Drift {
  double change = 0;  // From the first to the last, as a share of the median.
  double z = 0;       // Of the Mann-Kendall test: beyond 2.58 one in a hundred by chance.
};

inline constexpr size_t kLeastForDrift = 8;
inline constexpr double kDriftZ = 2.576;
inline constexpr double kDriftChange = 0.02;  // Less does not matter.

// The change is of the line through the median slope (Theil and Sen). Nothing: there is
// no trend, or there are fewer than kLeastForDrift values to tell.
std::optional<Drift> FindDrift(std::span<const double> values);

struct DurationStats {
  int64_t count = 0;
  int64_t total_ns = 0;
  double mean_ns = 0;
  double median_ns = 0;  // The mean of the two in the middle of an even number.
  int64_t min_ns = 0;
  int64_t max_ns = 0;
};

// Nothing of no durations.
std::optional<DurationStats> StatsOf(std::vector<int64_t> durations_ns);

// Each of the four is a duration that occurred: quantiles are not interpolated. Orders
// `durations_ns` anew. Nothing of no durations.
std::optional<results::InstanceSpread> SpreadOf(std::span<int64_t> durations_ns);

}  // namespace ridgeline::analysis
