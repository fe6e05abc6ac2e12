#include <algorithm>
#include <numeric>

#include "analysis/launch_delay.h"

namespace ridgeline::analysis {
namespace {

using results::RuntimeCall;

// Indices of the calls by correlation id; of equal ones the last.
std::vector<uint32_t> ByCorrelation(const std::vector<RuntimeCall>& calls) {
  std::vector<uint32_t> order(calls.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto correlation = [&](uint32_t call) { return calls[call].correlation; };
  if (!std::ranges::is_sorted(order, {}, correlation)) {
    std::ranges::stable_sort(order, {}, correlation);
  }
  size_t used = 0;
  for (const uint32_t call : order) {
    const bool is_again = used > 0 && correlation(order[used - 1]) == correlation(call);
    order[is_again ? used - 1 : used++] = call;
  }
  order.resize(used);
  return order;
}

class Search {
 public:
  Search(const std::vector<RuntimeCall>& calls, const std::vector<uint32_t>& order)
      : calls_(calls), order_(order) {}

  uint32_t Find(int64_t correlation) {
    if (correlation == results::kNoCorrelation) return kNoCall;
    // Activities are mostly in the order of their calls: begin after the last one found.
    const size_t end = std::min(next_ + kNear, order_.size());
    while (next_ < end && CorrelationAt(next_) < correlation) ++next_;
    if (next_ == end || CorrelationAt(next_) != correlation) {
      const auto found = std::ranges::lower_bound(
          order_, correlation, {},
          [this](uint32_t call) { return calls_[call].correlation; });
      next_ = static_cast<size_t>(found - order_.begin());
      if (next_ == order_.size() || CorrelationAt(next_) != correlation) return kNoCall;
    }
    return order_[next_];
  }

 private:
  static constexpr size_t kNear = 4;

  int64_t CorrelationAt(size_t place) const { return calls_[order_[place]].correlation; }

  const std::vector<RuntimeCall>& calls_;
  const std::vector<uint32_t>& order_;
  size_t next_ = 0;
};

}  // namespace

LaunchIndex::LaunchIndex(const results::TraceRows& rows) {
  const std::vector<uint32_t> order = ByCorrelation(rows.runtime_calls);
  duplicate_count_ = std::ssize(rows.runtime_calls) - std::ssize(order);
  calls_.reserve(rows.gpu_activities.size());
  Search search(rows.runtime_calls, order);
  for (const results::GpuActivity& activity : rows.gpu_activities) {
    calls_.push_back(search.Find(activity.correlation));
  }
}

}  // namespace ridgeline::analysis
