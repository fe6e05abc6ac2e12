#include "inference/metrics.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/statistics.h"
#include "base/json.h"

namespace ridgeline::inference {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMetricsVersion = 1;

// The first token of a page is prefill's.
size_t DecodeSteps(const predictions::PagePrediction& prediction) {
  return prediction.ids.empty() ? 0 : prediction.ids.size() - 1;
}

Json PerSecond(size_t steps, double seconds) {
  return seconds > 0 ? Json(static_cast<double>(steps) / seconds) : Json();
}

// Times and counts of a page, profiled or not.
void AddPage(const predictions::PagePrediction& page, double wall_s, Json& json) {
  json.update({{"image", page.image.string()},
               {"prompt_tokens", page.prompt_tokens ? Json(*page.prompt_tokens) : Json()},
               {"generated_tokens", page.ids.size()},
               {"decode_steps", DecodeSteps(page)},
               {"reached_end", page.reached_end},
               {"page_s", wall_s}});
  if (page.preprocess_s) json["preprocess_s"] = *page.preprocess_s;
  for (const predictions::PhaseTime& phase : page.phases) {
    json[phase.name + "_s"] = phase.seconds;
  }
  json["decode_tokens_per_s"] =
      PerSecond(DecodeSteps(page), predictions::SecondsOf(page, "decode").value_or(0));
}

Json SampleJson(const Sample& sample) {
  Json json = {{"repeat", sample.repeat}, {"epoch", sample.prediction.epoch}};
  AddPage(sample.prediction, sample.wall_s, json);
  return json;
}

Json TotalsJson(std::span<const Sample> samples) {
  size_t tokens = 0;
  size_t steps = 0;
  Json json = Json::object();
  std::vector<predictions::PhaseTime> sums;  // In the order of the phases.
  for (const Sample& sample : samples) {
    tokens += sample.prediction.ids.size();
    steps += DecodeSteps(sample.prediction);
    for (const predictions::PhaseTime& phase : sample.prediction.phases) {
      auto found = std::find_if(sums.begin(), sums.end(),
                                [&](const auto& sum) { return sum.name == phase.name; });
      if (found == sums.end()) found = sums.insert(sums.end(), {phase.name, 0});
      found->seconds += phase.seconds;
    }
  }
  double decode_s = 0;
  for (const predictions::PhaseTime& sum : sums) {
    json[sum.name + "_s"] = sum.seconds;
    if (sum.name == "decode") decode_s = sum.seconds;
  }
  json["generated_tokens"] = tokens;
  json["decode_steps"] = steps;
  json["decode_tokens_per_s"] = PerSecond(steps, decode_s);
  return json;
}

// Values of one name, in the order in which they were measured, and of which page each
// is.
struct Series {
  std::string name;
  std::vector<double> values;
  std::vector<std::string> pages;
};

// Of whole pages, each phase, and tokens per second.
std::vector<Series> SeriesOf(std::span<const Sample> samples) {
  std::vector<Series> all;
  const auto add = [&all](const std::string& name, double value, const Sample& sample) {
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.name == name; });
    if (found == all.end()) found = all.insert(all.end(), {name, {}, {}});
    found->values.push_back(value);
    found->pages.push_back(sample.prediction.image.string());
  };
  for (const Sample& sample : samples) {
    const predictions::PagePrediction& page = sample.prediction;
    add("page_s", sample.wall_s, sample);
    if (page.preprocess_s) add("preprocess_s", *page.preprocess_s, sample);
    for (const predictions::PhaseTime& phase : page.phases) {
      add(phase.name + "_s", phase.seconds, sample);
    }
    const double decode_s = predictions::SecondsOf(page, "decode").value_or(0);
    if (decode_s > 0 && DecodeSteps(page) > 0) {
      add("decode_tokens_per_s", static_cast<double>(DecodeSteps(page)) / decode_s,
          sample);
    }
  }
  return all;
}

// Pages differ, and a trend must not be made of that: each value over the median of its
// page.
std::vector<double> WithoutPages(const Series& series) {
  std::map<std::string, std::vector<double>> by_page;
  for (size_t i = 0; i < series.values.size(); ++i) {
    by_page[series.pages[i]].push_back(series.values[i]);
  }
  std::vector<double> relative;
  for (size_t i = 0; i < series.values.size(); ++i) {
    const std::vector<double>& page = by_page[series.pages[i]];
    const double median = analysis::Summarize(page).median;
    if (page.size() > 1 && median > 0) relative.push_back(series.values[i] / median);
  }
  return relative;
}

Json StatisticsJson(const Series& series) {
  const analysis::Summary summary = analysis::Summarize(series.values);
  Json json = {{"count", summary.count},
               {"mean", summary.mean},
               {"std", summary.deviation ? Json(*summary.deviation) : Json()},
               {"median", summary.median},
               {"p90", summary.p90},
               {"p99", summary.p99},
               {"min", summary.min},
               {"max", summary.max},
               {"mean_ci95", Json()},
               {"drift", Json()}};
  if (summary.mean_interval) {
    json["mean_ci95"] = {summary.mean_interval->low, summary.mean_interval->high};
  }
  if (const auto drift = analysis::FindDrift(WithoutPages(series))) {
    json["drift"] = {{"change", drift->change}, {"z", drift->z}};
  }
  return json;
}

Json ProfiledJson(const ProfiledPage& profiled) {
  Json json = {{"what", "the profiled page; its times are not in the totals above"}};
  AddPage(profiled.prediction, profiled.profile.wall_s, json);
  return json;
}

}  // namespace

std::string MetricsJson(const RunMetrics& metrics, const Options& options) {
  const std::span<const Sample> samples = metrics.samples;
  Json json = {
      {"schema_version", kMetricsVersion},
      {"what",
       "pages processed by the built-in model; seconds, device synchronized at both "
       "ends; prefill includes vision, and vision includes sam, clip and projector"},
      {"model", options.model},
      {"device", options.session.device},
      {"warmup_rounds", options.warmup_rounds},
      {"warmup_synthetic", options.warmup_synthetic},
      {"repeats", options.repeats},
      {"sampling",
       {{"num_epochs", options.dataset.num_epochs},
        {"randomize", options.dataset.randomize},
        {"seed", options.dataset.seed ? Json(*options.dataset.seed) : Json()}}},
      {"peak_rss_bytes", metrics.peak_rss_bytes},
      {"totals", TotalsJson(samples)},
      {"statistics", Json::object()},
      {"samples", Json::array()}};
  for (const Series& series : SeriesOf(samples)) {
    json["statistics"][series.name] = StatisticsJson(series);
  }
  for (const Sample& sample : samples) json["samples"].push_back(SampleJson(sample));
  if (metrics.profiled != nullptr) json["profiled"] = ProfiledJson(*metrics.profiled);
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::inference
