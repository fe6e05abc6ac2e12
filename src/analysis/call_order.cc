#include "analysis/call_order.h"

#include <algorithm>

namespace ridgeline::analysis {

using results::ThreadCall;

bool BeginsBefore(const ThreadCall& a, const ThreadCall& b) {
  if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
  return a.duration_ns > b.duration_ns;
}

CallOrder::CallOrder(const std::vector<ThreadCall>& calls, uint32_t threads)
    : order_(calls.size()), begins_(threads + 1, 0) {
  for (const ThreadCall& call : calls) ++begins_[call.thread + 1];
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
  for (size_t i = 0; i < calls.size(); ++i) {
    order_[next[calls[i].thread]++] = static_cast<uint32_t>(i);
  }
  const auto is_before = [&calls](uint32_t a, uint32_t b) {
    return BeginsBefore(calls[a], calls[b]);
  };
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(begins_[thread]);
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(begins_[thread + 1]);
    if (!std::is_sorted(begin, end, is_before)) std::stable_sort(begin, end, is_before);
  }
}

}  // namespace ridgeline::analysis
