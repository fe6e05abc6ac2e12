#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "collectors/nvtx/event_file.h"
#include "collectors/nvtx/listing.h"

namespace ridgeline::nvtx {
namespace {

using Json = nlohmann::json;

constexpr RangeKind kKinds[] = {RangeKind::kPushPop, RangeKind::kStartEnd,
                                RangeKind::kMark};

// No real counter gets this far: 104 days of nanoseconds.
constexpr int64_t kLargest = int64_t{1} << 53;

// Reads members of a JSON object; remembers the first invalid one.
class Members {
 public:
  Members(const Json& json, std::string_view what) : json_(json), what_(what) {
    if (!json.is_object()) mistake_ = fmt::format("{}: expected a mapping", what);
  }

  int64_t Count(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return 0;
    const bool good = value->is_number_integer() && *value >= 0 && *value <= kLargest;
    if (!good) return Fail(key, "expected a count"), 0;
    return value->get<int64_t>();
  }
  std::string Text(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return "";
    if (!value->is_string()) return Fail(key, "expected a string"), "";
    return value->get<std::string>();
  }
  bool Truth(const char* key) {
    const Json* const value = Find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) return Fail(key, "expected true or false"), false;
    return value->get<bool>();
  }
  const Json& List(const char* key) {
    static const Json kNone = Json::array();
    const Json* const value = Find(key);
    if (value == nullptr) return kNone;
    if (!value->is_array()) return Fail(key, "expected a list"), kNone;
    return *value;
  }
  const Json* Find(const char* key) {
    if (!mistake_.empty()) return nullptr;
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    Fail(key, "is missing");
    return nullptr;
  }
  bool Has(const char* key) const { return mistake_.empty() && json_.contains(key); }
  void Fail(const char* key, const char* how) {
    if (mistake_.empty()) mistake_ = fmt::format("{}: {}: {}", what_, key, how);
  }

  const std::string& mistake() const { return mistake_; }

 private:
  const Json& json_;
  std::string_view what_;
  std::string mistake_;
};

RangeKind ReadKind(Members& members) {
  const std::string word = members.Text("kind");
  for (const RangeKind kind : kKinds) {
    if (word == Word(kind)) return kind;
  }
  members.Fail("kind", "unknown value");
  return RangeKind::kPushPop;
}

void ReadTimes(Members& members, RangeRow& row) {
  row.closed = members.Count("closed");
  if (row.closed > row.opened) members.Fail("closed", "greater than the number opened");
  if (row.closed == 0) return;
  const RangeTimes times = {members.Count("time_total_ns"), members.Count("time_min_ns"),
                            members.Count("time_max_ns")};
  if (times.min_ns > times.max_ns || times.max_ns > times.total_ns) {
    members.Fail("time_min_ns", "min, max and total are inconsistent");
  }
  row.times = times;
}

// The path of the enclosing range, plus that range.
void ReadPath(Members& members, const std::vector<RangeRow>& before, RangeRow& row) {
  constexpr size_t kMaxPath = 100;  // More than the library writes.
  const auto parent = static_cast<size_t>(members.Count("parent"));
  if (parent >= before.size()) return members.Fail("parent", "expected an earlier range");
  const RangeRow& around = before[parent];
  if (around.path.size() >= kMaxPath) return members.Fail("parent", "nested too deep");
  row.path = around.path;
  row.path.push_back(around.label);
}

// `before`: the ranges listed before it.
Result<RangeRow> ReadRange(const Json& json, const std::vector<RangeRow>& before) {
  Members members(json, "ranges");
  RangeRow row;
  row.domain = members.Text("domain");
  row.label = members.Text("label");
  row.kind = ReadKind(members);
  row.registered = members.Truth("registered");
  row.wide = members.Truth("wide");
  if (members.Has("parent")) ReadPath(members, before, row);
  row.opened = members.Count("opened");
  row.threads = members.Count("threads");
  if (row.kind != RangeKind::kMark) ReadTimes(members, row);
  if (!members.mistake().empty()) return Error(ErrorCode::kParse, members.mistake());
  return row;
}

LeftOut ReadLeftOut(Members& members) {
  return {.ranges = members.Count("ranges"),
          .reentrant_calls = members.Count("reentrant_calls"),
          .pops_without_push = members.Count("pops_without_push"),
          .ends_without_start = members.Count("ends_without_start"),
          .labels_shortened = members.Count("labels_shortened"),
          .ranges_too_deep = members.Count("ranges_too_deep")};
}

Result<ProcessEvents> Read(const Json& json) {
  if (!json.is_object() || !json.contains("schema_version") ||
      json["schema_version"] != Json(kEventFileVersion)) {
    return Error(ErrorCode::kParse, "not an NVTX event file of this version");
  }
  Members members(json, "process");
  ProcessEvents events;
  events.pid = members.Count("pid");
  events.parent_pid = members.Count("parent_pid");
  events.program = members.Text("program");
  events.complete = members.Truth("complete");
  events.threads = members.Count("threads");
  const Json* const left_out = members.Find("left_out");
  if (left_out != nullptr) {
    Members counts(*left_out, "left_out");
    events.left_out = ReadLeftOut(counts);
    if (!counts.mistake().empty()) return Error(ErrorCode::kParse, counts.mistake());
  }
  for (const Json& range : members.List("ranges")) {
    RIDGELINE_TRY(RangeRow row, ReadRange(range, events.ranges));
    events.ranges.push_back(std::move(row));
  }
  // Ranges opened only by the parent process were needed for paths.
  std::erase_if(events.ranges, [](const RangeRow& row) { return row.opened == 0; });
  if (!members.mistake().empty()) return Error(ErrorCode::kParse, members.mistake());
  return events;
}

}  // namespace

std::string_view Name(RangeKind kind) {
  switch (kind) {
    case RangeKind::kPushPop:
      return "push/pop";
    case RangeKind::kStartEnd:
      return "start/end";
    case RangeKind::kMark:
      return "mark";
  }
  return "";
}

std::string_view Word(RangeKind kind) {
  switch (kind) {
    case RangeKind::kPushPop:
      return kPushPopWord;
    case RangeKind::kStartEnd:
      return kStartEndWord;
    case RangeKind::kMark:
      return kMarkWord;
  }
  return "";
}

Result<ProcessEvents> ParseProcessEvents(std::string_view text, std::string_view origin) {
  const Json json = ParseJson<Json>(text);
  Result<ProcessEvents> events = Read(json);
  if (!events.ok()) return std::move(events).error().While(origin);
  return events;
}

}  // namespace ridgeline::nvtx
