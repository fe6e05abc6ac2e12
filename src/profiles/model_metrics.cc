#include "profiles/model_metrics.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;
using results::PhaseSample;

constexpr int kMetricsVersion = 1;
constexpr double kLongestS = 9e9;  // What nanoseconds in 64 bits can hold.

// "vision_s": a time; "decode_tokens_per_s": none.
bool IsTime(std::string_view key) {
  return key.ends_with("_s") && !key.ends_with("_per_s");
}

// Tokens belong to the phase that made them.
std::optional<int64_t> TokensOf(const Json& sample, std::string_view phase) {
  if (phase == "prefill") return MemberIn<int64_t>(sample, "prompt_tokens");
  if (phase == "decode") return MemberIn<int64_t>(sample, "decode_steps");
  if (phase == "page") return MemberIn<int64_t>(sample, "generated_tokens");
  return std::nullopt;
}

Status AddSamples(const Json& sample, PhaseSample::Pass pass,
                  std::vector<PhaseSample>& samples) {
  if (!sample.is_object()) return Error(ErrorCode::kParse, "a sample is not an object");
  PhaseSample row;
  row.pass = pass;
  row.repeat = MemberIn<int64_t>(sample, "repeat").value_or(0);
  row.page = sample.value("image", Json("")).is_string()
                 ? sample.value("image", Json("")).get<std::string>()
                 : "";
  for (const auto& [key, value] : sample.items()) {
    if (!IsTime(key)) continue;
    if (!value.is_number() || !(std::abs(value.get<double>()) < kLongestS)) {
      return Error(ErrorCode::kParse, "'" + key + "': expected seconds");
    }
    row.phase = key.substr(0, key.size() - 2);
    row.duration_ns = std::llround(value.get<double>() * 1e9);
    row.tokens = TokensOf(sample, row.phase);
    samples.push_back(row);
  }
  return Ok();
}

}  // namespace

Status ImportModelMetrics(std::string_view text, results::Source source,
                          PhaseSample::Pass pass, results::ResultStore& store) {
  const Json json = ParseJson<Json>(text);
  if (!json.is_object() ||
      json.value("schema_version", Json()) != Json(kMetricsVersion)) {
    return Error(ErrorCode::kParse, source.file + ": not metrics of schema version 1");
  }
  // Pages of a model, or whole runs of a program.
  auto list = json.find("samples");
  if (list == json.end()) list = json.find("runs");
  if (list == json.end() || !list->is_array()) {
    return Error(ErrorCode::kParse, source.file + ": missing list 'samples' or 'runs'");
  }
  std::vector<PhaseSample> samples;
  Status added = Ok();
  for (const Json& sample : *list) {
    if (added.ok()) added = AddSamples(sample, pass, samples);
  }
  const auto profiled = json.find("profiled");
  if (added.ok() && profiled != json.end()) {
    added = AddSamples(*profiled, PhaseSample::Pass::kProfiled, samples);
  }
  if (!added.ok()) return std::move(added).error().While(source.file);
  for (PhaseSample& sample : samples) {
    sample.source = static_cast<results::SourceId>(store.sources.size());
    store.phase_samples.push_back(std::move(sample));
  }
  source.format = "model_metrics";
  store.sources.push_back(std::move(source));
  return Ok();
}

}  // namespace ridgeline::profiles
