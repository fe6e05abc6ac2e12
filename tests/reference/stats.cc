#include "tests/reference/stats.h"

namespace ridgeline::reference {

Json Stats(const std::optional<analysis::DurationStats>& stats) {
  if (!stats) return {};
  return {{"count", stats->count},  {"total", stats->total_ns},
          {"mean", stats->mean_ns}, {"median", stats->median_ns},
          {"min", stats->min_ns},   {"max", stats->max_ns}};
}

double Ratio(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

double Percent(int64_t part, int64_t whole) { return 100 * Ratio(part, whole); }

}  // namespace ridgeline::reference
