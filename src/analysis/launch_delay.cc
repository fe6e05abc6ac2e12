#include "analysis/launch_delay.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ridgeline::analysis {

namespace {

// Start of the first kernel of each call; nullopt if it launched none.
using FirstStarts = std::vector<std::optional<int64_t>>;

// Only for calls with several kernels: otherwise these equal the latencies of the
// kernels.
void AddCallDelays(const results::TraceRows& rows, const LaunchIndex& launches,
                   LaunchDelays& delays) {
  FirstStarts first_starts(rows.runtime_calls.size());
  for (size_t i = 0; i < rows.gpu_activities.size(); ++i) {
    const results::GpuActivity& activity = rows.gpu_activities[i];
    const uint32_t call = launches.calls()[i];
    if (activity.kind != results::GpuActivityKind::kKernel || call == kNoCall ||
        activity.start_ns < rows.runtime_calls[call].start_ns) {
      continue;
    }
    std::optional<int64_t>& first = first_starts[call];
    first = std::min(first.value_or(activity.start_ns), activity.start_ns);
  }
  std::vector<int64_t> start_to_start;
  std::vector<int64_t> end_to_start;
  for (size_t i = 0; i < first_starts.size(); ++i) {
    if (!first_starts[i]) continue;
    const results::RuntimeCall& call = rows.runtime_calls[i];
    start_to_start.push_back(*first_starts[i] - call.start_ns);
    end_to_start.push_back(*first_starts[i] - (call.start_ns + call.duration_ns));
  }
  delays.call_start_to_start = StatsOf(std::move(start_to_start));
  delays.call_end_to_start = StatsOf(std::move(end_to_start));
}

}  // namespace

LaunchDelays LaunchDelaysOf(const results::TraceRows& rows, const LaunchIndex& launches) {
  LaunchDelays delays = {.runtime_calls_with_correlation = std::ssize(rows.runtime_calls),
                         .duplicate_correlations = launches.duplicate_count()};
  std::vector<int64_t> start_to_start;
  std::vector<int64_t> end_to_start;
  std::vector<bool> has_kernel(rows.runtime_calls.size());
  bool is_call_shared = false;
  for (size_t i = 0; i < rows.gpu_activities.size(); ++i) {
    const results::GpuActivity& activity = rows.gpu_activities[i];
    if (activity.kind != results::GpuActivityKind::kKernel) continue;
    const uint32_t index = launches.calls()[i];
    if (index == kNoCall) {
      ++delays.kernels_unmatched;
      continue;
    }
    const results::RuntimeCall& call = rows.runtime_calls[index];
    ++delays.kernels_matched;
    const int64_t delay_ns = activity.start_ns - call.start_ns;
    if (delay_ns < 0) {
      ++delays.negative_start_to_start;
      continue;
    }
    start_to_start.push_back(delay_ns);
    end_to_start.push_back(activity.start_ns - (call.start_ns + call.duration_ns));
    is_call_shared = is_call_shared || has_kernel[index];
    has_kernel[index] = true;
  }
  delays.start_to_start = delays.call_start_to_start = StatsOf(std::move(start_to_start));
  delays.end_to_start = delays.call_end_to_start = StatsOf(std::move(end_to_start));
  if (is_call_shared) AddCallDelays(rows, launches, delays);
  return delays;
}

}  // namespace ridgeline::analysis
