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

// Fewer values have no confidence interval: there is nothing to resample.
inline constexpr size_t kMinForInterval = 3;

// Quantiles between two values are interpolated, as numpy's are. `values`: not empty.
Summary Summarize(std::span<const double> values);

inline constexpr size_t kMinForDrift = 8;
inline constexpr double kDriftZ = 2.576;
inline constexpr double kDriftChange = 0.02;  // Less does not matter.

// The change is of the line through the median slope (Theil and Sen). Nothing: there is
// no trend, or there are fewer than kMinForDrift values to tell.
std::optional<Drift> FindDrift(std::span<const double> values);

// The value that a share (0..1) of `values` does not exceed; between two values it is
// interpolated, as numpy's is, so the median of an even number is the mean of the two in
// the middle. The one definition of medians and percentiles. Reorders `values`, which
// must not be empty.
double QuantileOf(std::span<int64_t> values, double share);

struct DurationStats {
  int64_t count = 0;
  int64_t total_ns = 0;
  double mean_ns = 0;
  double median_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;
};

// Empty without durations.
std::optional<DurationStats> StatsOf(std::vector<int64_t> durations_ns);

// Reorders `durations_ns`. Empty without durations.
std::optional<results::InstanceQuantiles> QuantilesOf(std::span<int64_t> durations_ns);

}  // namespace ridgeline::analysis
