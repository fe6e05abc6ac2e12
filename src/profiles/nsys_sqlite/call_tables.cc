#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "profiles/nsys_sqlite/tables.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::DropReason;
using results::NsysApiTotal;
using results::NsysRows;

// Sums of one table, by the name ids of its rows.
class Totals {
 public:
  void Add(int64_t id, int64_t duration_ns) {
    NsysApiTotal& total = totals_[id];
    total.time_min_ns =
        total.calls == 0 ? duration_ns : std::min(total.time_min_ns, duration_ns);
    total.time_max_ns = std::max(total.time_max_ns, duration_ns);
    // Overflows only for unrealistic times; no decision depends on it.
    total.time_total_ns = static_cast<int64_t>(
        static_cast<uint64_t>(total.time_total_ns) + static_cast<uint64_t>(duration_ns));
    ++total.calls;
  }

  // name(id) is a Result<StringId>.
  template <typename Name>
  Status MoveTo(NsysRows& rows, NsysApiTotal::Kind kind, Name name) {
    // Several ids may have the same name.
    std::unordered_map<StringId, NsysApiTotal> by_name;
    for (const auto& [id, total] : totals_) {
      RIDGELINE_TRY(const StringId name_id, name(id));
      NsysApiTotal& sum = by_name[name_id];
      sum.time_min_ns = sum.calls == 0 ? total.time_min_ns
                                       : std::min(sum.time_min_ns, total.time_min_ns);
      sum.time_max_ns = std::max(sum.time_max_ns, total.time_max_ns);
      sum.time_total_ns += total.time_total_ns;
      sum.calls += total.calls;
      sum.kind = kind;
      sum.name = name_id;
    }
    for (const auto& [id, total] : by_name) rows.api_totals.push_back(total);
    return Ok();
  }

 private:
  std::unordered_map<int64_t, NsysApiTotal> totals_;
};

Status ReadRuntime(const Target& target) {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
  constexpr std::array<std::string_view, 5> kColumns = {"start", "end", "globalTid",
                                                        "correlationId", "nameId"};
  if (!target.file.HasTable(kTable)) return Ok();
  NsysRows& rows = target.rows;
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Scan(kTable, kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, row.Next());
    if (!has_row) break;
    ++rows.runtime_calls;
    const auto times = TimesOf(row.Integer(0), row.Integer(1), rows.left_out);
    if (!times) continue;
    totals.Add(row.Integer(4).value_or(0), times->duration_ns);
    const auto global_tid = row.Integer(2);
    const auto correlation = row.Integer(3);
    if (!global_tid || !correlation) {
      rows.left_out.Add(DropReason::kRowCorrelationUnusable);
      continue;
    }
    const uint32_t thread = target.numbering.Thread(*global_tid);
    target.launches.AddCall({rows.threads[thread].process, *correlation}, thread, *times);
  }
  return totals.MoveTo(rows, NsysApiTotal::Kind::kRuntime,
                       [&](int64_t id) { return target.names.OfId(id); });
}

Status ReadOsRuntime(const Target& target) {
  constexpr std::array<std::string_view, 3> kColumns = {"start", "end", "nameId"};
  if (!target.file.HasTable("OSRT_API")) return Ok();
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Scan("OSRT_API", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, row.Next());
    if (!has_row) break;
    const auto times = TimesOf(row.Integer(0), row.Integer(1), target.rows.left_out);
    if (times) totals.Add(row.Integer(2).value_or(0), times->duration_ns);
  }
  return totals.MoveTo(target.rows, NsysApiTotal::Kind::kOsRuntime,
                       [&](int64_t id) { return target.names.OfId(id); });
}

// Most are the wait within an API call, which is in the totals of the calls already.
Status ReadSynchronizations(const Target& target) {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  constexpr std::array<std::string_view, 5> kColumns = {"start", "end", "syncType",
                                                        "correlationId", "globalPid"};
  // CUpti_ActivitySynchronizationType
  static constexpr const char* kKinds[] = {"unknown", "event", "stream wait for event",
                                           "stream", "context"};
  if (!target.file.HasTable(kTable)) return Ok();
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Scan(kTable, kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, row.Next());
    if (!has_row) break;
    const auto times = TimesOf(row.Integer(0), row.Integer(1), target.rows.left_out);
    if (!times) continue;
    const auto correlation = row.Integer(3);
    const auto global_pid = row.Integer(4);
    if (correlation && global_pid &&
        target.launches.HasCall({target.numbering.Process(*global_pid), *correlation})) {
      continue;
    }
    totals.Add(row.Integer(2).value_or(0), times->duration_ns);
  }
  return totals.MoveTo(
      target.rows, NsysApiTotal::Kind::kSynchronization,
      [&](int64_t id) -> Result<StringId> {
        const bool is_known = id >= 0 && id < static_cast<int64_t>(std::size(kKinds));
        return target.names.Of(is_known ? kKinds[id] : "kind " + std::to_string(id));
      });
}

}  // namespace

Status ReadCallTables(const Target& target) {
  RIDGELINE_RETURN_IF_ERROR(ReadRuntime(target));
  RIDGELINE_RETURN_IF_ERROR(ReadOsRuntime(target));
  return ReadSynchronizations(target);
}

}  // namespace ridgeline::profiles::nsys_sqlite
