#include <algorithm>

#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

OperatorTotal& OperatorTotal::operator+=(const OperatorTotal& other) {
  kind = other.kind;
  calls += other.calls;
  self_ns += other.self_ns;
  total_ns += other.total_ns;
  longest_ns = std::max(longest_ns, other.longest_ns);
  bytes_self += other.bytes_self;
  bytes_total += other.bytes_total;
  flops += other.flops;
  return *this;
}

void OperatorTotals::Add(const Event& event) {
  OperatorTotal& total = totals_[{event.name, event.shapes}];
  total.kind = event.kind;
  ++total.calls;
  total.self_ns += event.self_ns;
  total.longest_ns = std::max(total.longest_ns, event.duration_ns);
  total.bytes_self += event.bytes_self;
  total.flops += event.flops;
  if (event.is_within_same_name) return;
  total.total_ns += event.duration_ns;
  total.bytes_total += event.bytes_total;
}

void OperatorTotals::Add(const OperatorTotals& other) {
  for (const auto& [key, total] : other.totals_) totals_[key] += total;
}

}  // namespace ridgeline::profiles
