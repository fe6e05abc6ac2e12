// Statistics of repeated measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/rows.h"
#include "results/statistics.h"

namespace ridgeline::analysis {

using results::ConfidenceInterval;
using results::Drift;
using results::Summary;

// With fewer values there is no confidence interval: not enough to resample.
inline constexpr size_t kMinForInterval = 3;

// Bootstrapped intervals of fewer samples are too narrow to be called a 95 % CI.
inline constexpr int64_t kMinForTrustedInterval = 5;

// Quantiles are interpolated like numpy's. `values` must not be empty.
Summary Summarize(std::span<const double> values);

inline constexpr size_t kMinForDrift = 8;
inline constexpr double kDriftZ = 2.576;
inline constexpr double kDriftChange = 0.02;  // Smaller changes are ignored.

// The change is that of the line through the median slope (Theil-Sen). nullopt: no trend,
// or fewer than kMinForDrift values.
std::optional<Drift> FindDrift(std::span<const double> values);

// The value that a share (0..1) of `values` does not exceed, interpolated like numpy's:
// the median of an even number of values is the mean of the middle two. The only
// definition of medians and percentiles. Reorders `values`, which must not be empty.
double QuantileOf(std::span<int64_t> values, double share);

struct DurationStats {
  int64_t count = 0;
  int64_t total_ns = 0;
  double mean_ns = 0;
  double median_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;
};

// nullopt if there are no durations.
std::optional<DurationStats> StatsOf(std::vector<int64_t> durations_ns);

// Reorders `durations_ns`. nullopt if there are no durations.
std::optional<results::InstanceQuantiles> QuantilesOf(std::span<int64_t> durations_ns);

}  // namespace ridgeline::analysis
