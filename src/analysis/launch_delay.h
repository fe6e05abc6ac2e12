// How long do kernels wait for their beginning?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/statistics.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// LaunchIndex: which runtime call started a GPU activity.

class LaunchIndex {
 public:
  explicit LaunchIndex(const std::vector<results::RuntimeCall>& calls);

  // Null for activities whose call is not in the trace: they were launched before it
  // began. Of several calls with one correlation, the last in the file.
  const results::RuntimeCall* CallOf(const results::GpuActivity& activity) const;

  // Of a call that CallOf gave, below unique_count().
  size_t IndexOf(const results::RuntimeCall& call) const {
    return static_cast<size_t>(&call - calls_.data());
  }
  const results::RuntimeCall& call(size_t index) const { return calls_[index]; }
  size_t unique_count() const { return calls_.size(); }

  int64_t call_count() const { return call_count_; }
  // Calls whose correlation an earlier one had already.
  int64_t duplicate_count() const {
    return call_count_ - static_cast<int64_t>(calls_.size());
  }

 private:
  std::vector<results::RuntimeCall> calls_;  // By correlation, each once.
  int64_t call_count_ = 0;
};

struct LaunchDelays {
  int64_t runtime_calls_with_correlation = 0;
  int64_t duplicate_correlations = 0;
  int64_t kernels_matched = 0;
  int64_t kernels_unmatched = 0;  // Launched before the trace began; in no delay.
  // From the begin, or the end, of the runtime call to the begin of its kernel. The call
  // may return after its kernel began: the second may be negative. The first is negative
  // only where the clocks of CPU and GPU differ; such kernels are counted and in no
  // delay.
  std::optional<DurationStats> start_to_start;
  std::optional<DurationStats> end_to_start;
  int64_t negative_start_to_start = 0;
  // The same of the first kernel of each call. A CUDA or HIP graph starts thousands of
  // kernels with one call: all but the first wait for each other, not for the launch.
  std::optional<DurationStats> call_start_to_start;
  std::optional<DurationStats> call_end_to_start;
};

LaunchDelays LaunchDelaysOf(const results::TraceRows& rows, const LaunchIndex& launches);

}  // namespace ridgeline::analysis
