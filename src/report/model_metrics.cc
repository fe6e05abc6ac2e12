#include "report/model_metrics.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

// What a member holds, if it is there and of the kind.
std::optional<double> Number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

int64_t Integer(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<MeasuredQuantity> ReadQuantity(const std::string& name, const Json& json) {
  if (!json.is_object()) return std::nullopt;
  MeasuredQuantity quantity;
  quantity.name = name;
  analysis::Summary& summary = quantity.summary;
  summary.count = static_cast<size_t>(std::max<int64_t>(0, Integer(json, "count")));
  const auto mean = Number(json, "mean");
  if (!mean || summary.count == 0) return std::nullopt;
  summary.mean = *mean;
  summary.deviation = Number(json, "std");
  summary.median = Number(json, "median").value_or(*mean);
  summary.p90 = Number(json, "p90").value_or(*mean);
  summary.p99 = Number(json, "p99").value_or(*mean);
  summary.min = Number(json, "min").value_or(*mean);
  summary.max = Number(json, "max").value_or(*mean);
  const auto interval = json.find("mean_ci95");
  if (interval != json.end() && interval->is_array() && interval->size() == 2 &&
      (*interval)[0].is_number() && (*interval)[1].is_number()) {
    summary.mean_interval = {(*interval)[0].get<double>(), (*interval)[1].get<double>()};
  }
  const auto drift = json.find("drift");
  if (drift != json.end() && drift->is_object()) {
    quantity.drift = {Number(*drift, "change").value_or(0),
                      Number(*drift, "z").value_or(0)};
  }
  return quantity;
}

}  // namespace

const MeasuredQuantity* Find(const ModelMetrics& metrics, std::string_view quantity) {
  for (const MeasuredQuantity& measured : metrics.quantities) {
    if (measured.name == quantity) return &measured;
  }
  return nullptr;
}

Result<ModelMetrics> ParseModelMetrics(std::string_view text, std::string_view origin) {
  const auto broken = [origin](const std::string& what) {
    return Error(ErrorCode::kParse, fmt::format("{}: {}", origin, what));
  };
  const Json json = ParseJson<Json>(text);
  if (!json.is_object() || json.value("schema_version", Json()) != Json(kVersion)) {
    return broken(fmt::format("are no metrics of version {}", kVersion));
  }
  const auto samples = json.find("samples");
  const auto statistics = json.find("statistics");
  if (samples == json.end() || !samples->is_array() || statistics == json.end() ||
      !statistics->is_object()) {
    return broken("has no 'samples' or no 'statistics'");
  }
  ModelMetrics metrics;
  metrics.model = TextAt(json, "model");
  metrics.device = TextAt(json, "device");
  metrics.warmup_rounds = Integer(json, "warmup_rounds");
  metrics.repeats = Integer(json, "repeats");
  metrics.peak_rss_bytes = Integer(json, "peak_rss_bytes");
  metrics.samples = static_cast<int64_t>(samples->size());
  std::set<std::string> pages;
  for (const Json& sample : *samples) {
    if (!sample.is_object()) return broken("'samples': holds more than objects");
    pages.insert(TextAt(sample, "image"));
    metrics.generated_tokens += Integer(sample, "generated_tokens");
  }
  metrics.pages = static_cast<int64_t>(pages.size());
  for (const auto& [name, value] : statistics->items()) {
    auto quantity = ReadQuantity(name, value);
    if (!quantity) return broken(fmt::format("'statistics.{}': has no mean", name));
    metrics.quantities.push_back(*std::move(quantity));
  }
  return metrics;
}

}  // namespace ridgeline::report
