#include "analysis/launch_delay.h"

#include <utility>
#include <vector>

namespace ridgeline::analysis {

LaunchDelays LaunchDelaysOf(const results::TraceRows& rows, const LaunchIndex& launches) {
  LaunchDelays delays = {.runtime_calls_with_correlation = launches.call_count(),
                         .duplicate_correlations = launches.duplicate_count()};
  std::vector<int64_t> start_to_start;
  std::vector<int64_t> end_to_start;
  for (const results::GpuActivity& activity : rows.gpu_activities) {
    if (activity.kind != results::GpuActivityKind::kKernel) continue;
    const results::RuntimeCall* const call = launches.CallOf(activity);
    if (call == nullptr) {
      ++delays.kernels_unmatched;
      continue;
    }
    ++delays.kernels_matched;
    const int64_t delay_ns = activity.start_ns - call->start_ns;
    start_to_start.push_back(delay_ns);
    end_to_start.push_back(activity.start_ns - (call->start_ns + call->duration_ns));
    if (delay_ns < 0) ++delays.negative_start_to_start;
  }
  delays.start_to_start = StatsOf(std::move(start_to_start));
  delays.end_to_start = StatsOf(std::move(end_to_start));
  return delays;
}

}  // namespace ridgeline::analysis
