// How long do kernels wait for their beginning?
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/duration_stats.h"
#include "analysis/launch_index.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

struct LaunchDelays {
  int64_t runtime_calls_with_correlation = 0;
  int64_t duplicate_correlations = 0;
  int64_t kernels_matched = 0;
  int64_t kernels_unmatched = 0;  // Launched before the trace began; in no delay.
  // From the begin, or the end, of the runtime call to the begin of its kernel. The call
  // may return after its kernel began: the second may be negative. The first may be only
  // where the clocks of CPU and GPU are not the same.
  std::optional<DurationStats> start_to_start;
  std::optional<DurationStats> end_to_start;
  int64_t negative_start_to_start = 0;
};

LaunchDelays LaunchDelaysOf(const results::TraceRows& rows, const LaunchIndex& launches);

}  // namespace ridgeline::analysis
