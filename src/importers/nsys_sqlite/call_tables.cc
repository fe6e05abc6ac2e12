#include "importers/nsys_sqlite/call_tables.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/split_mix64.h"

namespace ridgeline::importers::nsys_sqlite {
namespace {

using results::ImportCounter;
using results::NsysApiTotal;
using results::NsysGpuOp;
using results::NsysRows;

// A correlation, within its process.
struct LaunchKey {
  uint32_t process = 0;
  int64_t correlation = 0;

  auto operator<=>(const LaunchKey&) const = default;
};

// Which keys there were. They are dense, so 512 at a time.
class SeenKeys {
 public:
  // False: it was there already.
  bool Add(const LaunchKey& key) {
    const auto number = static_cast<uint64_t>(key.correlation);
    auto& block = blocks_[MixBits(key.process) ^ (number / kBlock)];
    const size_t bit = number % kBlock;
    if (block.test(bit)) return false;
    block.set(bit);
    return true;
  }

 private:
  static constexpr size_t kBlock = 512;
  std::unordered_map<uint64_t, std::bitset<kBlock>> blocks_;
};

// The ops by their keys. Calls come nearly in that order, so the search goes on from
// where the last one ended.
class Launches {
 public:
  explicit Launches(NsysRows& rows) : rows_(rows) {
    const auto is_before = [&](const NsysGpuOp& a, const NsysGpuOp& b) {
      return KeyOf(a) < KeyOf(b);
    };
    if (std::is_sorted(rows.gpu_ops.begin(), rows.gpu_ops.end(), is_before)) return;
    std::sort(rows.gpu_ops.begin(), rows.gpu_ops.end(), is_before);
  }

  void Attach(const LaunchKey& key, uint32_t thread, const RowTimes& times) {
    std::vector<NsysGpuOp>& ops = rows_.gpu_ops;
    if (next_ >= ops.size() || KeyOf(ops[next_]) > key ||
        (next_ + kNear < ops.size() && KeyOf(ops[next_ + kNear]) < key)) {
      next_ = static_cast<size_t>(
          std::partition_point(ops.begin(), ops.end(),
                               [&](const NsysGpuOp& op) { return KeyOf(op) < key; }) -
          ops.begin());
    }
    while (next_ < ops.size() && KeyOf(ops[next_]) < key) ++next_;
    for (; next_ < ops.size() && KeyOf(ops[next_]) == key; ++next_) {
      ops[next_].thread = thread;
      ops[next_].call_start_ns = times.start_ns;
      ops[next_].call_duration_ns = times.duration_ns;
    }
  }

 private:
  static constexpr size_t kNear = 16;

  LaunchKey KeyOf(const NsysGpuOp& op) const {
    return {rows_.tracks[op.track].process, op.correlation};
  }

  NsysRows& rows_;
  size_t next_ = 0;
};

// Sums of one table, by the numbers that its rows have for names.
class Totals {
 public:
  void Add(int64_t id, int64_t duration_ns) {
    NsysApiTotal& total = totals_[id];
    total.time_min_ns =
        total.calls == 0 ? duration_ns : std::min(total.time_min_ns, duration_ns);
    total.time_max_ns = std::max(total.time_max_ns, duration_ns);
    // Wraps for times that no file has; nothing is decided by it.
    total.time_total_ns = static_cast<int64_t>(
        static_cast<uint64_t>(total.time_total_ns) + static_cast<uint64_t>(duration_ns));
    ++total.calls;
  }

  // name(id) is a Result<NameId>.
  template <typename Name>
  Status MoveTo(NsysRows& rows, NsysApiTotal::Kind kind, Name name) {
    // Several numbers may stand for one name.
    std::unordered_map<results::NameId, NsysApiTotal> by_name;
    for (const auto& [id, total] : totals_) {
      RIDGELINE_TRY(const results::NameId name_id, name(id));
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
  Launches launches(rows);
  SeenKeys seen;
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Select(kTable, kColumns));
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
      rows.left_out.Add(ImportCounter::kRowCorrelationUnusable);
      continue;
    }
    const uint32_t thread = target.numbering.Thread(*global_tid);
    const LaunchKey key = {rows.threads[thread].process, *correlation};
    if (!seen.Add(key)) ++rows.duplicate_correlations;
    launches.Attach(key, thread, *times);
  }
  return totals.MoveTo(rows, NsysApiTotal::Kind::kRuntime,
                       [&](int64_t id) { return target.names.OfId(id); });
}

Status ReadOsRuntime(const Target& target) {
  constexpr std::array<std::string_view, 3> kColumns = {"start", "end", "nameId"};
  if (!target.file.HasTable("OSRT_API")) return Ok();
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Select("OSRT_API", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, row.Next());
    if (!has_row) break;
    const auto times = TimesOf(row.Integer(0), row.Integer(1), target.rows.left_out);
    if (times) totals.Add(row.Integer(2).value_or(0), times->duration_ns);
  }
  return totals.MoveTo(target.rows, NsysApiTotal::Kind::kOsRuntime,
                       [&](int64_t id) { return target.names.OfId(id); });
}

Status ReadSynchronizations(const Target& target) {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  constexpr std::array<std::string_view, 3> kColumns = {"start", "end", "syncType"};
  // CUpti_ActivitySynchronizationType.
  static constexpr const char* kKinds[] = {"unknown", "event", "stream wait for event",
                                           "stream", "context"};
  if (!target.file.HasTable(kTable)) return Ok();
  Totals totals;
  RIDGELINE_TRY(RowCursor row, target.file.Select(kTable, kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, row.Next());
    if (!has_row) break;
    const auto times = TimesOf(row.Integer(0), row.Integer(1), target.rows.left_out);
    if (times) totals.Add(row.Integer(2).value_or(0), times->duration_ns);
  }
  return totals.MoveTo(
      target.rows, NsysApiTotal::Kind::kSynchronization,
      [&](int64_t id) -> Result<results::NameId> {
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

}  // namespace ridgeline::importers::nsys_sqlite
