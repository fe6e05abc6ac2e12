// LaunchIndex: which runtime call started a GPU activity.
#pragma once

#include <vector>

#include "results/trace_rows.h"

namespace ridgeline::analysis {

class LaunchIndex {
 public:
  explicit LaunchIndex(const std::vector<results::RuntimeCall>& calls);

  // Null for activities whose call is not in the trace: they were launched before it
  // began. Of several calls with one correlation, the last in the file.
  const results::RuntimeCall* CallOf(const results::GpuActivity& activity) const;

  int64_t call_count() const { return call_count_; }
  // Calls whose correlation an earlier one had already.
  int64_t duplicate_count() const {
    return call_count_ - static_cast<int64_t>(calls_.size());
  }

 private:
  std::vector<results::RuntimeCall> calls_;  // By correlation, each once.
  int64_t call_count_ = 0;
};

}  // namespace ridgeline::analysis
