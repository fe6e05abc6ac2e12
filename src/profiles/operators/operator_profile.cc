#include "profiles/operators/operator_profile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;

constexpr RenamedKey kRenamedOperatorKeys[] = {
    {"unrecorded_before_s", "unprofiled_before_s"},
    {"unrecorded_after_s", "unprofiled_after_s"},
    {"cost_per_event_ns", "overhead_per_event_ns"},
    {"events_lost", "events_dropped"},
    {"memory_events_lost", "memory_events_dropped"},
    {"time_longest_ns", "time_max_ns"},
};

constexpr const char* NameOf(EventKind kind) {
  return kind == EventKind::kOperator ? "operator" : "annotation";
}

Json RowJson(const OperatorRow& row) {
  const OperatorTotal& total = row.total;
  return {{"name", row.name},
          {"input_shapes", row.shapes ? Json(*row.shapes) : Json()},
          {"kind", NameOf(total.kind)},
          {"calls", total.calls},
          {"time_self_ns", total.self_ns},
          {"time_total_ns", total.total_ns},
          {"time_max_ns", total.longest_ns},
          {"memory_self_bytes", total.bytes_self},
          {"memory_total_bytes", total.bytes_total},
          {"flops", total.flops}};
}

Json ModuleJson(const ModuleRow& row) {
  return {{"module", row.module},
          {"calls", row.calls},
          {"time_self_ns", row.self_ns},
          {"memory_self_bytes", row.bytes_self},
          {"flops", row.flops}};
}

// Reads members of an object and remembers the first invalid one.
class Members {
 public:
  Members(const Json& object, std::string& problem)
      : object_(object), problem_(problem) {}

  template <typename T>
  void Take(const char* key, T& target) {
    const auto found = object_.find(key);
    if (found == object_.end() || !Fits<T>(*found)) {
      if (problem_.empty()) problem_ = fmt::format("'{}': expected {}", key, Word<T>());
      return;
    }
    target = found->get<T>();
  }

 private:
  template <typename T>
  static bool Fits(const Json& value) {
    if constexpr (std::is_same_v<T, bool>) return value.is_boolean();
    if constexpr (std::is_same_v<T, double>) return value.is_number();
    if constexpr (std::is_same_v<T, std::string>) return value.is_string();
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      return value.is_array() && std::all_of(value.begin(), value.end(),
                                             [](const Json& v) { return v.is_string(); });
    }
    if constexpr (std::is_same_v<T, uint64_t>) return value.is_number_unsigned();
    if constexpr (std::is_same_v<T, int64_t>) return value.is_number_integer();
  }

  template <typename T>
  static const char* Word() {
    if constexpr (std::is_same_v<T, bool>) return "a boolean";
    if constexpr (std::is_same_v<T, double>) return "a number";
    if constexpr (std::is_same_v<T, std::string>) return "a string";
    if constexpr (std::is_same_v<T, std::vector<std::string>>) return "a list of strings";
    return "an integer";
  }

  const Json& object_;
  std::string& problem_;
};

OperatorRow ReadRow(const Json& json, std::string& problem) {
  OperatorRow row;
  Members members(json, problem);
  std::string kind;
  members.Take("name", row.name);
  members.Take("kind", kind);
  members.Take("calls", row.total.calls);
  members.Take("time_self_ns", row.total.self_ns);
  members.Take("time_total_ns", row.total.total_ns);
  members.Take("time_max_ns", row.total.longest_ns);
  members.Take("memory_self_bytes", row.total.bytes_self);
  members.Take("memory_total_bytes", row.total.bytes_total);
  members.Take("flops", row.total.flops);
  if (kind == NameOf(EventKind::kAnnotation)) row.total.kind = EventKind::kAnnotation;
  const auto shapes = json.find("input_shapes");
  if (shapes != json.end() && shapes->is_string()) {
    row.shapes = shapes->get<std::string>();
  }
  return row;
}

ModuleRow ReadModule(const Json& json, std::string& problem) {
  ModuleRow row;
  Members members(json, problem);
  members.Take("module", row.module);
  members.Take("calls", row.calls);
  members.Take("time_self_ns", row.self_ns);
  members.Take("memory_self_bytes", row.bytes_self);
  members.Take("flops", row.flops);
  return row;
}

template <typename Row>
void ReadRows(const Json& json, const char* key,
              Row (*read)(const Json&, std::string& problem), std::vector<Row>& rows,
              std::string& problem) {
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) {
    if (problem.empty()) problem = fmt::format("'{}': expected a list", key);
    return;
  }
  for (const Json& row : *list) {
    if (!row.is_object()) {
      if (problem.empty()) problem = fmt::format("'{}': expected a list of objects", key);
      return;
    }
    rows.push_back(read(row, problem));
  }
}

// Shared by reading and writing: fields of the file with their names.
template <typename Visit>
void VisitMembers(auto& profile, const Visit& visit) {
  visit("recorder", profile.recorder);
  visit("image", profile.image);
  visit("max_new_tokens", profile.max_new_tokens);
  visit("generated_tokens", profile.generated_tokens);
  visit("activities", profile.activities);
  visit("notes", profile.notes);
  visit("record_shapes", profile.has_shapes);
  visit("profile_memory", profile.has_memory);
  visit("with_stack", profile.has_stacks);
  visit("group_by_input_shape", profile.is_grouped_by_shapes);
  visit("wall_s", profile.wall_s);
  visit("unprofiled_before_s", profile.unprofiled_before_s);
  visit("unprofiled_after_s", profile.unprofiled_after_s);
  visit("overhead_per_event_ns", profile.overhead_per_event_ns);
  visit("threads", profile.threads);
  visit("events", profile.events);
  visit("events_dropped", profile.events_dropped);
  visit("memory_events", profile.memory_events);
  visit("memory_events_dropped", profile.memory_events_dropped);
  visit("unmatched", profile.unmatched);
  visit("buffer_bytes", profile.buffer_bytes);
}

}  // namespace

std::optional<double> SlowdownOf(const OperatorProfile& profile) {
  const double unrecorded_s =
      (profile.unprofiled_before_s + profile.unprofiled_after_s) / 2;
  if (!(unrecorded_s > 0)) return std::nullopt;
  return profile.wall_s / unrecorded_s;
}

std::string ToJson(const OperatorProfile& profile) {
  Json json = {{"schema_version", kVersion},
               {"what",
                "operators of one profiled pass; self times exclude called operators and "
                "add up to the pass"}};
  VisitMembers(profile,
               [&json](const char* key, const auto& value) { json[key] = value; });
  if (profile.unprofiled_calls > 0) json["unprofiled_calls"] = profile.unprofiled_calls;
  json["operators"] = Json::array();
  for (const OperatorRow& row : profile.operators) {
    json["operators"].push_back(RowJson(row));
  }
  json["modules"] = Json::array();
  for (const ModuleRow& row : profile.modules) json["modules"].push_back(ModuleJson(row));
  return DumpJson(json, 1) + "\n";
}

Result<OperatorProfile> ParseProfile(std::string_view text, std::string_view origin) {
  const auto broken = [origin](const std::string& what) {
    return Error(ErrorCode::kParse, fmt::format("{}: {}", origin, what));
  };
  Json json = ParseJson<Json>(text);
  if (!json.is_object()) return broken("not a profile: expected a JSON object");
  const int64_t version = MemberIn<int64_t>(json, "schema_version").value_or(0);
  if (version < 1 || version > kVersion) {
    return broken(fmt::format("not a profile of schema version 1 to {}", kVersion));
  }
  if (version == 1) RenameKeys(json, kRenamedOperatorKeys);
  OperatorProfile profile;
  std::string problem;
  Members members(json, problem);
  VisitMembers(profile,
               [&members](const char* key, auto& value) { members.Take(key, value); });
  profile.unprofiled_calls = MemberIn<int64_t>(json, "unprofiled_calls").value_or(0);
  ReadRows(json, "operators", ReadRow, profile.operators, problem);
  ReadRows(json, "modules", ReadModule, profile.modules, problem);
  if (!problem.empty()) return broken(problem);
  return profile;
}

}  // namespace ridgeline::profiles
