#include "profiles/model_summary.h"

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kModelSummaryVersion = 1;

Json WeightsJson(const WeightsRow& row) {
  return {{"dtype", row.dtype},
          {"device", row.device},
          {"tensors", row.tensors},
          {"numel", row.numel},
          {"bytes", row.bytes}};
}

Json PartsJson(const std::vector<CountedPart>& parts) {
  Json json = Json::array();
  for (const CountedPart& part : parts) {
    json.push_back({{"name", part.name}, {"flops", OrNull(part.flops)}});
    if (part.parameters) json.back()["parameters"] = *part.parameters;
  }
  return json;
}

Json CallJson(const ModelSummary& summary) {
  if (summary.call.empty()) return {};
  Json json = {{"name", summary.call},
               {"prompt_tokens", OrNull(summary.prompt_tokens)},
               {"generated_tokens", OrNull(summary.generated_tokens)},
               {"flops", OrNull(summary.flops)},
               {"phases", PartsJson(summary.phases)},
               {"layers", PartsJson(summary.layers)},
               {"uncounted_operators", Json::array()}};
  for (const UncountedPart& part : summary.uncounted) {
    json["uncounted_operators"].push_back(
        {{"name", part.name}, {"calls", part.calls}, {"time_share", part.time_share}});
  }
  return json;
}

std::vector<CountedPart> PartsOf(const Json& call, const char* key) {
  std::vector<CountedPart> parts;
  const auto found = call.find(key);
  if (found == call.end() || !found->is_array()) return parts;
  for (const Json& part : *found) {
    if (!part.is_object()) continue;
    parts.push_back({MemberIn<std::string>(part, "name").value_or(""),
                     MemberIn<int64_t>(part, "parameters"),
                     MemberIn<int64_t>(part, "flops")});
  }
  return parts;
}

void ReadCall(const Json& call, ModelSummary& summary) {
  if (!call.is_object()) return;
  summary.call = MemberIn<std::string>(call, "name").value_or("");
  summary.prompt_tokens = MemberIn<int64_t>(call, "prompt_tokens");
  summary.generated_tokens = MemberIn<int64_t>(call, "generated_tokens");
  summary.flops = MemberIn<int64_t>(call, "flops");
  summary.phases = PartsOf(call, "phases");
  summary.layers = PartsOf(call, "layers");
}

}  // namespace

std::string ToJson(const ModelSummary& summary) {
  Json json = {
      {"schema_version", kModelSummaryVersion},
      {"what",
       "the model of a Python program; tied parameters count once. FLOPs of one call: "
       "matrix products, two per multiply-add, from the shapes of its operators"},
      {"model", summary.model},
      {"torch", summary.torch},
      {"modules", summary.modules},
      {"parameters", {{"total", summary.parameters}, {"tied", summary.parameters_tied}}},
      {"weights_bytes", summary.weights_bytes},
      {"buffers_bytes", summary.buffers_bytes},
      {"weights", Json::array()},
      {"kv_cache_bytes_per_token", OrNull(summary.kv_cache_bytes_per_token)},
      {"kv_cache_basis", summary.kv_cache_basis},
      {"call", CallJson(summary)},
      {"config", Json()}};
  for (const WeightsRow& row : summary.weights) {
    json["weights"].push_back(WeightsJson(row));
  }
  if (!summary.config_json.empty()) json["config"] = ParseJson<Json>(summary.config_json);
  return DumpJson(json, 2) + "\n";
}

Result<ModelSummary> ParseModelSummary(std::string_view text, std::string_view origin) {
  const Json json = ParseJson<Json>(text);
  if (!json.is_object() ||
      MemberIn<int64_t>(json, "schema_version") != kModelSummaryVersion) {
    return Error(ErrorCode::kParse,
                 std::string(origin) + ": not a model summary of schema version 1");
  }
  ModelSummary summary;
  summary.model = MemberIn<std::string>(json, "model").value_or("");
  summary.torch = MemberIn<std::string>(json, "torch").value_or("");
  summary.modules = MemberIn<int64_t>(json, "modules").value_or(0);
  summary.parameters = ValueAt<int64_t>(json, "/parameters/total").value_or(0);
  summary.parameters_tied = ValueAt<int64_t>(json, "/parameters/tied").value_or(0);
  summary.weights_bytes = MemberIn<int64_t>(json, "weights_bytes").value_or(0);
  summary.buffers_bytes = MemberIn<int64_t>(json, "buffers_bytes").value_or(0);
  summary.kv_cache_bytes_per_token = MemberIn<int64_t>(json, "kv_cache_bytes_per_token");
  const auto call = json.find("call");
  if (call != json.end()) ReadCall(*call, summary);
  return summary;
}

}  // namespace ridgeline::profiles
