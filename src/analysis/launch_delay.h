// Launch latency: how long kernels wait before they start.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/statistics.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// Finds the runtime call that launched a GPU activity.

class LaunchIndex {
 public:
  explicit LaunchIndex(const std::vector<results::RuntimeCall>& calls);

  // Null for activities whose call is not in the trace because they were launched before
  // it began. Of several calls with the same correlation id, the last in the file.
  const results::RuntimeCall* CallOf(const results::GpuActivity& activity) const;

  // `call` must come from CallOf(). Below unique_count().
  size_t IndexOf(const results::RuntimeCall& call) const {
    return static_cast<size_t>(&call - calls_.data());
  }
  const results::RuntimeCall& call(size_t index) const { return calls_[index]; }
  size_t unique_count() const { return calls_.size(); }

  int64_t call_count() const { return call_count_; }
  // Calls that repeat an earlier correlation id.
  int64_t duplicate_count() const {
    return call_count_ - static_cast<int64_t>(calls_.size());
  }

 private:
  std::vector<results::RuntimeCall> calls_;  // By correlation id, without duplicates.
  int64_t call_count_ = 0;
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
