#include "cost/flop_check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ridgeline::cost {
namespace {

using Key = std::pair<std::string, CostClass>;
using Kind = ReconciledRow::Kind;

std::map<Key, Count> AddUp(std::span<const CountedRow> counted) {
  std::map<Key, Count> sums;
  for (const CountedRow& row : counted) {
    if (IsMatrix(row.cost_class)) sums[{row.scope, row.cost_class}] += row.flops;
  }
  return sums;
}

Kind KindOfRow(const ReconciledRow& row) {
  if (!row.counted) return Kind::kNotCounted;
  if (!row.ledger) return Kind::kNotInLedger;
  return *row.counted == *row.ledger ? Kind::kEqual : Kind::kDiffers;
}

void AppendRow(ReconciledRow row, Reconciliation& result) {
  row.kind = KindOfRow(row);
  result.ledger_total += row.ledger.value_or(0);
  result.counted_total += row.counted.value_or(0);
  result.filled_total += row.counted ? *row.counted : *row.ledger;
  result.rows.push_back(std::move(row));
}

}  // namespace

size_t Reconciliation::CountOf(ReconciledRow::Kind kind) const {
  return static_cast<size_t>(std::count_if(
      rows.begin(), rows.end(), [kind](const auto& row) { return row.kind == kind; }));
}

Reconciliation Reconcile(const CostNode& phase, std::span<const CountedRow> counted) {
  std::map<Key, Count> sums = AddUp(counted);
  Reconciliation result;
  for (const CostNode* leaf : Leaves(phase)) {
    for (const CostClass cost_class : AllCostClasses()) {
      const Count flops = leaf->cost.flops(cost_class).executed;
      if (!IsMatrix(cost_class) || flops == Count(0)) continue;
      ReconciledRow row = {
          .scope = leaf->name, .cost_class = cost_class, .ledger = flops, .counted = {}};
      if (const auto found = sums.find({leaf->name, cost_class}); found != sums.end()) {
        row.counted = found->second;
        sums.erase(found);
      }
      AppendRow(std::move(row), result);
    }
  }
  for (const auto& [key, flops] : sums) {
    AppendRow(
        {.scope = key.first, .cost_class = key.second, .ledger = {}, .counted = flops},
        result);
  }
  return result;
}

}  // namespace ridgeline::cost
