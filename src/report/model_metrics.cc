#include "report/model_metrics.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/json.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

std::optional<MeasuredQuantity> ReadQuantity(const std::string& name, const Json& json) {
  if (!json.is_object()) return std::nullopt;
  MeasuredQuantity quantity;
  quantity.name = name;
  analysis::Summary& summary = quantity.summary;
  summary.count = static_cast<size_t>(
      std::max<int64_t>(0, MemberIn<int64_t>(json, "count").value_or(0)));
  const auto mean = MemberIn<double>(json, "mean");
  if (!mean || summary.count == 0) return std::nullopt;
  summary.mean = *mean;
  summary.deviation = MemberIn<double>(json, "std");
  summary.median = MemberIn<double>(json, "median").value_or(*mean);
  summary.p90 = MemberIn<double>(json, "p90").value_or(*mean);
  summary.p99 = MemberIn<double>(json, "p99").value_or(*mean);
  summary.min = MemberIn<double>(json, "min").value_or(*mean);
  summary.max = MemberIn<double>(json, "max").value_or(*mean);
  const auto interval = json.find("mean_ci95");
  if (interval != json.end() && interval->is_array() && interval->size() == 2 &&
      (*interval)[0].is_number() && (*interval)[1].is_number()) {
    summary.mean_interval = {(*interval)[0].get<double>(), (*interval)[1].get<double>()};
  }
  const auto drift = json.find("drift");
  if (drift != json.end() && drift->is_object()) {
    quantity.drift = {MemberIn<double>(*drift, "change").value_or(0),
                      MemberIn<double>(*drift, "z").value_or(0)};
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
    return broken(fmt::format("not metrics of schema version {}", kVersion));
  }
  const auto samples = json.find("samples");
  const auto statistics = json.find("statistics");
  if (samples == json.end() || !samples->is_array() || statistics == json.end() ||
      !statistics->is_object()) {
    return broken("missing 'samples' or 'statistics'");
  }
  ModelMetrics metrics;
  metrics.model = MemberIn<std::string>(json, "model").value_or("");
  metrics.device = MemberIn<std::string>(json, "device").value_or("");
  metrics.warmup_rounds = MemberIn<int64_t>(json, "warmup_rounds").value_or(0);
  metrics.repeats = MemberIn<int64_t>(json, "repeats").value_or(0);
  metrics.peak_rss_bytes = MemberIn<int64_t>(json, "peak_rss_bytes").value_or(0);
  metrics.samples = static_cast<int64_t>(samples->size());
  std::set<std::string> pages;
  for (const Json& sample : *samples) {
    if (!sample.is_object()) return broken("'samples': expected a list of objects");
    pages.insert(MemberIn<std::string>(sample, "image").value_or(""));
    metrics.generated_tokens += MemberIn<int64_t>(sample, "generated_tokens").value_or(0);
  }
  metrics.pages = static_cast<int64_t>(pages.size());
  for (const auto& [name, value] : statistics->items()) {
    auto quantity = ReadQuantity(name, value);
    if (!quantity) return broken(fmt::format("'statistics.{}': missing 'mean'", name));
    metrics.quantities.push_back(*std::move(quantity));
  }
  return metrics;
}

}  // namespace ridgeline::report
