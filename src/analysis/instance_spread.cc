#include <algorithm>

#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

// The least duration that `percent` of all do not exceed.
int64_t Quantile(std::span<int64_t> durations_ns, size_t percent) {
  const size_t rank = (durations_ns.size() * percent + 99) / 100;
  const auto place = durations_ns.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(durations_ns.begin(), place, durations_ns.end());
  return *place;
}

}  // namespace

std::optional<results::InstanceSpread> SpreadOf(std::span<int64_t> durations_ns) {
  if (durations_ns.empty()) return std::nullopt;
  const auto [min, max] = std::minmax_element(durations_ns.begin(), durations_ns.end());
  results::InstanceSpread spread = {.min_ns = *min, .max_ns = *max};
  spread.median_ns = Quantile(durations_ns, 50);
  spread.p99_ns = Quantile(durations_ns, 99);
  return spread;
}

}  // namespace ridgeline::analysis
