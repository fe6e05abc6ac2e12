// Launch latency: how long kernels wait before they start.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/statistics.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

inline constexpr uint32_t kNoCall = UINT32_MAX;

// The runtime calls that launched the GPU activities of a trace.
class LaunchIndex {
 public:
  explicit LaunchIndex(const results::TraceRows& rows);

  // By activity: an index in rows.runtime_calls; kNoCall if the call is not in the trace
  // because it was made before it began. Of several calls with the same correlation id,
  // the last in the file.
  const std::vector<uint32_t>& calls() const { return calls_; }

  // Calls that repeat an earlier correlation id.
  int64_t duplicate_count() const { return duplicate_count_; }

 private:
  std::vector<uint32_t> calls_;
  int64_t duplicate_count_ = 0;
};

struct LaunchDelays {
  int64_t runtime_calls_with_correlation = 0;
  int64_t duplicate_correlations = 0;
  int64_t kernels_matched = 0;
  int64_t kernels_unmatched = 0;  // Launched before the trace began; not in any latency.
  // From the start (or end) of the runtime call to the start of its kernel. The call may
  // return after its kernel started, so the latter may be negative. The former is
  // negative only if CPU and GPU clocks differ; such kernels are counted, but are not in
  // any latency.
  std::optional<DurationStats> start_to_start;
  std::optional<DurationStats> end_to_start;
  int64_t negative_start_to_start = 0;
  // The same for the first kernel of each call. A CUDA or HIP graph starts thousands of
  // kernels with one call: all but the first wait for each other, not for the launch.
  std::optional<DurationStats> call_start_to_start;
  std::optional<DurationStats> call_end_to_start;
};

LaunchDelays LaunchDelaysOf(const results::TraceRows& rows, const LaunchIndex& launches);

}  // namespace ridgeline::analysis
