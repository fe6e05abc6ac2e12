#include <algorithm>
#include <cmath>

#include "analysis/intervals.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {

double QuantileOf(std::span<int64_t> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), below, values.end());
  const auto low = static_cast<double>(*below);
  if (below + 1 == values.end()) return low;
  const auto high = static_cast<double>(*std::min_element(below + 1, values.end()));
  return low + (place - std::floor(place)) * (high - low);
}

std::optional<DurationStats> StatsOf(std::vector<int64_t> durations_ns) {
  if (durations_ns.empty()) return std::nullopt;
  DurationStats stats = {.count = static_cast<int64_t>(durations_ns.size())};
  for (const int64_t duration : durations_ns) {
    stats.total_ns = SaturatingAdd(stats.total_ns, duration);
  }
  const auto [min, max] = std::minmax_element(durations_ns.begin(), durations_ns.end());
  stats.min_ns = *min;
  stats.max_ns = *max;
  stats.mean_ns = static_cast<double>(stats.total_ns) / static_cast<double>(stats.count);
  stats.median_ns = QuantileOf(durations_ns, 0.5);
  return stats;
}

std::optional<results::InstanceQuantiles> QuantilesOf(std::span<int64_t> durations_ns) {
  if (durations_ns.empty()) return std::nullopt;
  const auto [min, max] = std::minmax_element(durations_ns.begin(), durations_ns.end());
  results::InstanceQuantiles spread = {.min_ns = *min, .max_ns = *max};
  spread.median_ns = QuantileOf(durations_ns, 0.5);
  spread.p99_ns = QuantileOf(durations_ns, 0.99);
  return spread;
}

}  // namespace ridgeline::analysis
