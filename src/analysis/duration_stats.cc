#include <algorithm>

#include "analysis/intervals.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {

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
  const auto middle = durations_ns.begin() + stats.count / 2;
  std::nth_element(durations_ns.begin(), middle, durations_ns.end());
  stats.median_ns = static_cast<double>(*middle);
  if (stats.count % 2 == 0) {
    const int64_t below = *std::max_element(durations_ns.begin(), middle);
    stats.median_ns = (static_cast<double>(below) + stats.median_ns) / 2;
  }
  return stats;
}

}  // namespace ridgeline::analysis
