#include <map>

#include "report/sections/operator_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {

using results::OperatorTotal;

namespace {

void AddFlops(const results::OperatorWork& work, OperatorRow& row) {
  const auto flops = static_cast<double>(work.flops);
  row.flops = work.flops;
  row.flops_calls = work.calls;
  row.flops_useful = work.flops_useful;
  row.minimum_bytes = work.bytes;
  row.flops_clock = work.clock;
  row.flops_time_s = Seconds(work.time_ns);
  row.mfu = work.mfu;
  if (work.time_ns > 0) row.flops_per_s = flops / Seconds(work.time_ns);
  if (work.bytes.value_or(0) > 0) {
    row.flops_per_byte = flops / static_cast<double>(*work.bytes);
  }
}

}  // namespace

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
    if (op->gpu_self_ns) rows.back().gpu_self_s = Seconds(*op->gpu_self_ns);
    if (op->work) AddFlops(*op->work, rows.back());
  }
  return rows;
}

std::vector<UncountedOperatorRow> MakeUncountedOperators(
    const results::ResultStore& store) {
  std::vector<UncountedOperatorRow> rows;
  for (const results::UncountedOperator& op : store.uncounted_operators) {
    rows.push_back({.source = FileOf(store, op.source),
                    .name = NameIn(store, op.name),
                    .calls = op.calls,
                    .clock = op.clock,
                    .time_s = Seconds(op.time_ns),
                    .share = op.time_share});
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
