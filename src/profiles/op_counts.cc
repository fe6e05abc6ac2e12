#include "profiles/op_counts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kOpCountsVersion = 1;
constexpr uint64_t kMaxDecodeSteps = uint64_t{1} << 31;  // More: corrupt file.

Error BrokenCounts(std::string_view origin, const std::string& what) {
  return {ErrorCode::kParse, fmt::format("{}: {}", origin, what)};
}

Json RowsJson(const OpCounts::Phase& phase) {
  Json rows = Json::array();
  for (const CountedOps& row : phase.rows) {
    rows.push_back(
        {{"scope", row.scope}, {"class", row.cost_class}, {"flops", row.flops}});
  }
  return rows;
}

Result<CountedOps> ParseRow(const Json& json, std::string_view origin) {
  const bool is_row = json.is_object() && json.contains("scope") &&
                      json["scope"].is_string() && json.contains("class") &&
                      json["class"].is_string() && json.contains("flops") &&
                      json["flops"].is_number_unsigned();
  if (!is_row) {
    return BrokenCounts(origin, "expected {scope, class, flops}, got " + DumpJson(json));
  }
  CountedOps row = {json["scope"], json["class"], json["flops"].get<uint64_t>()};
  if (!cost::CostClassOf(row.cost_class)) {
    return BrokenCounts(origin, "unknown class of FLOPs: '" + row.cost_class + "'");
  }
  return row;
}

Result<OpCounts::Phase> ParsePhase(const std::string& name, const Json& json,
                                   std::string_view origin) {
  if (!json.is_array()) {
    return BrokenCounts(origin, fmt::format("phases.{}: expected a list", name));
  }
  OpCounts::Phase phase = {.name = name, .rows = {}, .unknown = {}};
  for (const Json& item : json) {
    RIDGELINE_TRY(CountedOps row, ParseRow(item, origin));
    phase.rows.push_back(std::move(row));
  }
  return phase;
}

Result<std::optional<int64_t>> ParseSteps(const Json& json, std::string_view origin) {
  const Json steps = json.value("decode_steps", Json());
  if (steps.is_null()) return std::optional<int64_t>();
  if (!steps.is_number_unsigned() || steps.get<uint64_t>() > kMaxDecodeSteps) {
    return BrokenCounts(
        origin, "decode_steps: expected a number of steps, got " + DumpJson(steps));
  }
  return std::optional(steps.get<int64_t>());
}

}  // namespace

std::string ToJson(const OpCounts& counts) {
  Json json = {{"schema_version", kOpCountsVersion},
               {"prompt_tokens", counts.prompt_tokens},
               {"image_tokens", counts.image_tokens},
               {"decode_steps", OrNull(counts.decode_steps)},
               {"views", Json::array()},
               {"phases", Json::object()},
               {"operators_without_formula", Json::object()}};
  for (const OpCounts::Views& views : counts.views) {
    json["views"].push_back({{"side", views.side}, {"count", views.count}});
  }
  for (const OpCounts::Phase& phase : counts.phases) {
    json["phases"][phase.name] = RowsJson(phase);
    for (const auto& [name, times] : phase.unknown) {
      Json& known = json["operators_without_formula"][name];
      known = (known.is_null() ? 0 : known.get<int64_t>()) + times;
    }
  }
  return DumpJson(json, 1) + "\n";
}

Result<OpCounts> ParseOpCounts(std::string_view text, std::string_view origin) {
  const auto json = ParseJson<Json>(text);
  if (!json.is_object() || !json.contains("phases") || !json["phases"].is_object()) {
    return BrokenCounts(origin, "not a FLOP count");
  }
  const Json version = json.value("schema_version", Json());
  if (version != Json(kOpCountsVersion)) {
    return BrokenCounts(origin, fmt::format("expected schema_version {}, got {}",
                                            kOpCountsVersion, DumpJson(version)));
  }
  OpCounts counts;
  counts.prompt_tokens = MemberIn<int64_t>(json, "prompt_tokens").value_or(0);
  counts.image_tokens = MemberIn<int64_t>(json, "image_tokens").value_or(0);
  RIDGELINE_TRY(counts.decode_steps, ParseSteps(json, origin));
  for (const Json& views : json.value("views", Json::array())) {
    if (!views.is_object()) continue;
    counts.views.push_back({MemberIn<int64_t>(views, "side").value_or(0),
                            MemberIn<int64_t>(views, "count").value_or(0)});
  }
  for (const auto& [name, rows] : json["phases"].items()) {
    RIDGELINE_TRY(OpCounts::Phase phase, ParsePhase(name, rows, origin));
    counts.phases.push_back(std::move(phase));
  }
  return counts;
}

std::vector<cost::CountedPhase> PhasesOf(const OpCounts& counts) {
  std::vector<cost::CountedPhase> phases;
  for (const OpCounts::Phase& phase : counts.phases) {
    phases.push_back({phase.name, {}});
    for (const CountedOps& row : phase.rows) {
      phases.back().rows.push_back(
          {row.scope, *cost::CostClassOf(row.cost_class), cost::Count(row.flops)});
    }
  }
  return phases;
}

}  // namespace ridgeline::profiles
