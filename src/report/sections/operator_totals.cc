#include <map>

#include "report/sections/operator_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {

using results::OperatorTotal;

std::vector<OperatorRow> MakeOperators(const results::ResultStore& store) {
  std::map<results::SourceId, int64_t> totals_ns;
  for (const OperatorTotal& op : store.operator_totals) {
    totals_ns[op.source] += op.time_self_ns;
  }
  const auto self_ns = [](const OperatorTotal& op) { return op.time_self_ns; };
  RowLimit limit;
  std::vector<OperatorRow> rows;
  for (const OperatorTotal* op :
       ByTimeDescending(store.operator_totals, kUnlimited, self_ns)) {
    if (!limit.Keeps(op->source)) continue;
    rows.push_back({.source = FileOf(store, op->source),
                    .name = NameIn(store, op->name),
                    .calls = op->calls,
                    .self_s = Seconds(op->time_self_ns),
                    .total_s = Seconds(op->time_total_ns),
                    .share = ShareOf(static_cast<double>(op->time_self_ns),
                                     static_cast<double>(totals_ns[op->source]))});
  }
  return rows;
}

OperatorsTotalRow MakeOperatorsTotal(const results::ResultStore& store) {
  OperatorsTotalRow total = {.operators =
                                 static_cast<int64_t>(store.operator_totals.size())};
  int64_t self_ns = 0;
  for (const OperatorTotal& op : store.operator_totals) {
    total.calls += op.calls;
    self_ns += op.time_self_ns;
  }
  total.self_s = Seconds(self_ns);
  return total;
}

}  // namespace ridgeline::report
