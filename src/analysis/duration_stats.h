#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ridgeline::analysis {

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

}  // namespace ridgeline::analysis
