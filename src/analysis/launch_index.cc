#include <algorithm>

#include "analysis/launch_delay.h"

namespace ridgeline::analysis {

using results::RuntimeCall;

LaunchIndex::LaunchIndex(const std::vector<RuntimeCall>& calls)
    : calls_(calls), call_count_(static_cast<int64_t>(calls.size())) {
  const auto is_before = [](const RuntimeCall& a, const RuntimeCall& b) {
    return a.correlation < b.correlation;
  };
  if (!std::is_sorted(calls_.begin(), calls_.end(), is_before)) {
    std::stable_sort(calls_.begin(), calls_.end(), is_before);
  }
  size_t used = 0;
  for (const RuntimeCall& call : calls_) {
    const bool is_again = used > 0 && calls_[used - 1].correlation == call.correlation;
    calls_[is_again ? used - 1 : used++] = call;
  }
  calls_.resize(used);
}

const RuntimeCall* LaunchIndex::CallOf(const results::GpuActivity& activity) const {
  if (activity.correlation == results::kNoCorrelation) return nullptr;
  const auto found = std::lower_bound(
      calls_.begin(), calls_.end(), activity.correlation,
      [](const RuntimeCall& call, int64_t wanted) { return call.correlation < wanted; });
  const bool is_found =
      found != calls_.end() && found->correlation == activity.correlation;
  return is_found ? &*found : nullptr;
}

}  // namespace ridgeline::analysis
