#include "cost/flop_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/plural.h"

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

constexpr size_t kRowsShown = 5;

std::string TextOf(const std::optional<Count>& count) {
  if (!count) return "nothing";
  return count->is_exact() ? std::to_string(count->value()) : "too much";
}

bool IsWrong(const ReconciledRow& row, Fallback fallback) {
  if (row.kind == Kind::kEqual) return false;
  return row.kind != Kind::kNotCounted || fallback == Fallback::kNone;
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

size_t FlopCheck::CountOf(ReconciledRow::Kind kind) const {
  size_t count = 0;
  for (const CheckedPhase& phase : phases) count += phase.result.CountOf(kind);
  return count;
}

FlopCheck CheckFlops(const Ledger& ledger, std::span<const CountedPhase> counted) {
  FlopCheck check;
  for (const CostNode& phase : ledger.phases) {
    const auto found =
        std::find_if(counted.begin(), counted.end(),
                     [&](const CountedPhase& each) { return each.name == phase.name; });
    const std::span<const CountedRow> rows =
        found == counted.end() ? std::span<const CountedRow>() : found->rows;
    check.phases.push_back({phase.name, Reconcile(phase, rows)});
  }
  return check;
}

Status CheckAgreement(const FlopCheck& check, Fallback fallback) {
  size_t wrong = 0;
  std::string told;
  for (const CheckedPhase& phase : check.phases) {
    for (const ReconciledRow& row : phase.result.rows) {
      if (!IsWrong(row, fallback) || ++wrong > kRowsShown) continue;
      told +=
          fmt::format("; {} {} {}: ledger {}, counted {}", phase.name, row.scope,
                      NameOf(row.cost_class), TextOf(row.ledger), TextOf(row.counted));
    }
  }
  if (wrong == 0) return Ok();
  return Error(ErrorCode::kTool,
               fmt::format("FLOP check failed: {} differ{} from the dispatcher{}",
                           Plural(wrong, "module"), wrong == 1 ? "s" : "", told));
}

}  // namespace ridgeline::cost
