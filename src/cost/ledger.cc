#include "cost/ledger.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ridgeline::cost {

const CostNode* Ledger::Find(std::string_view name) const {
  const auto found =
      std::find_if(phases.begin(), phases.end(),
                   [name](const CostNode& node) { return node.name == name; });
  return found == phases.end() ? nullptr : &*found;
}

CostNode* Ledger::Find(std::string_view name) {
  return const_cast<CostNode*>(std::as_const(*this).Find(name));
}

const CostNode& Ledger::phase(std::string_view name) const {
  const CostNode* const found = Find(name);
  assert(found != nullptr);
  return *found;
}

Count Ledger::peak_bytes(std::string_view name) const {
  const auto found =
      std::find_if(peaks.begin(), peaks.end(),
                   [name](const ActivationPeak& peak) { return peak.phase == name; });
  assert(found != peaks.end());
  return found->bytes;
}

Cost Ledger::total() const {
  Cost sum;
  for (const CostNode& phase : phases) sum += phase.cost;
  return sum;
}

}  // namespace ridgeline::cost
