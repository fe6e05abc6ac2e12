#include <algorithm>
#include <array>
#include <string>

#include "profiles/nsys_sqlite/tables.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::DropReason;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;

constexpr std::string_view kNvtxTable = "NVTX_EVENTS";

// ENUM_NSYS_EVENT_TYPE; 33 names a category, 34 is a mark, 39 names a thread.
constexpr int64_t kPushPop = 59;
constexpr int64_t kStartEnd = 60;
constexpr int64_t kDomainCreate = 75;

class NvtxReader {
 public:
  explicit NvtxReader(const Target& target) : target_(target), rows_(target.rows) {}

  Status Read() {
    constexpr std::array<std::string_view, 7> kColumns = {
        "start", "end", "eventType", "text", "textId", "globalTid", "domainId"};
    RIDGELINE_TRY(const int64_t bound, target_.file.RowBound(kNvtxTable));
    constexpr int64_t kBelieved = 100'000'000;
    rows_.nvtx_ranges.reserve(
        static_cast<size_t>(std::clamp<int64_t>(bound, 0, kBelieved)));
    RIDGELINE_TRY(RowCursor row, target_.file.Scan(kNvtxTable, kColumns));
    while (true) {
      RIDGELINE_TRY(const bool has_row, row.Next());
      if (!has_row) break;
      RIDGELINE_RETURN_IF_ERROR(Add(row));
    }
    CloseOpenRanges();
    return Ok();
  }

 private:
  enum Column : uint8_t { kStart, kEnd, kType, kText, kTextId, kThread, kDomain };

  Status Add(const RowCursor& row) {
    const int64_t type = row.Integer(kType).value_or(-1);
    ++rows_.nvtx.rows;
    ++rows_.nvtx.by_event_type[type];
    const bool is_inline = row.Text(kText).has_value();
    if (is_inline) ++rows_.nvtx.text_inline;
    if (!is_inline && row.Integer(kTextId)) ++rows_.nvtx.text_by_id;
    if (type == kPushPop || type == kStartEnd) return AddRange(row, type);
    if (type == kDomainCreate) return AddDomain(row);
    rows_.left_out.Add(DropReason::kNvtxNoRange);
    return Ok();
  }

  Result<StringId> NameOf(const RowCursor& row) {
    if (const auto text = row.Text(kText)) return target_.names.Of(*text);
    if (const auto id = row.Integer(kTextId)) return target_.names.OfId(*id);
    return target_.names.Of("");
  }

  Status AddRange(const RowCursor& row, int64_t type) {
    const auto global_tid = row.Integer(kThread);
    if (!global_tid) {
      rows_.left_out.Add(DropReason::kNvtxNoThread);
      return Ok();
    }
    const auto start = row.Integer(kStart);
    const auto end = row.Integer(kEnd);
    const bool is_open = start && !end;
    const auto times = TimesOf(start, is_open ? start : end, rows_.left_out);
    if (!times) return Ok();
    NvtxRange range;
    range.start_ns = times->start_ns;
    range.end_ns = times->start_ns + times->duration_ns;
    RIDGELINE_TRY(range.name, NameOf(row));
    range.thread = target_.numbering.Thread(*global_tid);
    range.domain = target_.numbering.Domain(rows_.threads[range.thread].process,
                                            row.Integer(kDomain).value_or(0));
    range.kind = type == kPushPop ? NvtxKind::kPushPop : NvtxKind::kStartEnd;
    range.is_open = is_open;
    if (is_open) {
      rows_.left_out.Add(DropReason::kNvtxRangeNeverClosed);
      ++rows_.nvtx.open_by_event_type[type];
    }
    rows_.nvtx_ranges.push_back(range);
    return Ok();
  }

  Status AddDomain(const RowCursor& row) {
    const int64_t global_tid = row.Integer(kThread).value_or(0);
    const uint32_t process = target_.numbering.Process(ProcessOfThread(global_tid));
    const uint32_t domain =
        target_.numbering.Domain(process, row.Integer(kDomain).value_or(0));
    RIDGELINE_TRY(const StringId name, NameOf(row));
    rows_.domains[domain].name = rows_.names.text(name);
    return Ok();
  }

  void CloseOpenRanges() {
    if (rows_.nvtx.open_by_event_type.empty()) return;
    int64_t last_ns = 0;
    for (const NvtxRange& range : rows_.nvtx_ranges) {
      last_ns = std::max(last_ns, range.end_ns);
    }
    for (const results::NsysGpuOp& op : rows_.gpu_ops) {
      last_ns = std::max(last_ns, op.end_ns());
    }
    for (NvtxRange& range : rows_.nvtx_ranges) {
      if (range.is_open) range.end_ns = last_ns;
    }
  }

  Target target_;
  NsysRows& rows_;
};

}  // namespace

Status ReadNvtxTable(const Target& target) {
  return target.file.HasTable(kNvtxTable) ? NvtxReader(target).Read() : Status(Ok());
}

}  // namespace ridgeline::profiles::nsys_sqlite
