#include "profiles/static_costs.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kReportVersion = 1;

const Json* At(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) ? &json[at] : nullptr;
}

// Nothing where the file has null: more than a number holds.
std::optional<int64_t> Whole(const Json& json, const char* pointer) {
  const Json* const value = At(json, pointer);
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  const auto count = value->get<uint64_t>();
  if (count > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(count);
}

std::optional<double> Nanoseconds(const Json& json, const char* pointer) {
  const Json* const value = At(json, pointer);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>() * 1e9;
}

Result<results::PhaseCost> CostOf(const std::string& phase, const Json& json) {
  const Json* const bound = At(json, "/lower_bound/bound");
  if (bound == nullptr || !bound->is_string()) {
    return Error(ErrorCode::kParse, "phase '" + phase + "': missing lower_bound/bound");
  }
  results::PhaseCost cost;
  cost.phase = phase;
  cost.flops_matrix = Whole(json, "/flops/matrix/executed");
  cost.flops_matrix_ideal = Whole(json, "/flops/matrix/ideal");
  cost.flops_total = Whole(json, "/flops/total/executed");
  cost.bytes_unavoidable = Whole(json, "/bytes/unavoidable");
  cost.bytes_total = Whole(json, "/bytes/total");
  cost.least_compute_ns = Nanoseconds(json, "/lower_bound/compute_s");
  cost.least_memory_ns = Nanoseconds(json, "/lower_bound/memory_s");
  cost.bound = bound->get<std::string>();
  return cost;
}

}  // namespace

Status ImportStaticCosts(std::string_view text, results::Source source,
                         results::ResultStore& store) {
  const Json json = ParseJson<Json>(text);
  if (!json.is_object() || json.value("schema_version", Json()) != Json(kReportVersion)) {
    return Error(ErrorCode::kParse,
                 source.file + ": not a static analysis of schema version 1");
  }
  const auto phases = json.find("phases");
  const auto page = json.find("page");
  if (phases == json.end() || !phases->is_object() || page == json.end()) {
    return Error(ErrorCode::kParse, source.file + ": missing 'phases' or 'page'");
  }
  std::vector<results::PhaseCost> costs;
  Json all = *phases;
  all["page"] = *page;
  for (const auto& [phase, value] : all.items()) {
    Result<results::PhaseCost> cost = CostOf(phase, value);
    if (!cost.ok()) return std::move(cost).error().While(source.file);
    cost.value().source = static_cast<results::SourceId>(store.sources.size());
    costs.push_back(std::move(cost).value());
  }
  store.phase_costs.insert(store.phase_costs.end(), costs.begin(), costs.end());
  source.format = "static_costs";
  store.sources.push_back(std::move(source));
  return Ok();
}

}  // namespace ridgeline::profiles
