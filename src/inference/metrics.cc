#include "inference/metrics.h"

#include <algorithm>
#include <map>

#include "analysis/statistics.h"

namespace ridgeline::inference {
namespace {

using profiles::ModelMetrics;
using profiles::ModelSample;
using profiles::PhaseSeconds;

ModelSample SampleOf(const predictions::Prediction& page, int64_t repeat, double wall_s) {
  const auto tokens = static_cast<int64_t>(page.ids.size());
  ModelSample sample = {.image = page.image.string(),
                        .repeat = repeat,
                        .epoch = page.epoch,
                        .prompt_tokens = page.prompt_tokens,
                        .generated_tokens = tokens,
                        // The first token of a page is prefill's.
                        .decode_steps = std::max<int64_t>(0, tokens - 1),
                        .reached_end = page.reached_end,
                        .times = {{"end_to_end", wall_s}}};
  if (page.preprocess_s) sample.times.push_back({"preprocess", *page.preprocess_s});
  for (const predictions::PhaseTime& phase : page.phases) {
    sample.times.push_back({phase.name, phase.seconds});
  }
  return sample;
}

// Values of one name, in the order in which they were measured, and of which page each
// is.
struct Series {
  std::string name;
  std::vector<double> values;
  std::vector<std::string> pages;
};

// Of whole pages, each phase, and tokens per second.
std::vector<Series> SeriesOf(std::span<const ModelSample> samples) {
  std::vector<Series> all;
  const auto add = [&all](const std::string& name, double value,
                          const ModelSample& sample) {
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.name == name; });
    if (found == all.end()) found = all.insert(all.end(), {name, {}, {}});
    found->values.push_back(value);
    found->pages.push_back(sample.image);
  };
  for (const ModelSample& sample : samples) {
    for (const PhaseSeconds& time : sample.times) {
      add(time.phase + "_s", time.seconds, sample);
    }
    const double decode_s = sample.SecondsOf("decode").value_or(0);
    const int64_t steps = sample.decode_steps.value_or(0);
    if (decode_s > 0 && steps > 0) {
      add("decode_tokens_per_s", static_cast<double>(steps) / decode_s, sample);
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

}  // namespace

ModelMetrics MetricsOf(const RunMetrics& run, const Options& options) {
  ModelMetrics metrics = {.model = options.model,
                          .device = options.session.device,
                          .warmup_rounds = options.warmup_rounds,
                          .warmup_synthetic = options.warmup_synthetic,
                          .repeats = options.repeats,
                          .sampling = {.num_epochs = options.dataset.num_epochs,
                                       .randomize = options.dataset.randomize,
                                       .seed = options.dataset.seed},
                          .peak_rss_bytes = run.peak_rss_bytes};
  for (const Sample& sample : run.samples) {
    metrics.samples.push_back(SampleOf(sample.prediction, sample.repeat, sample.wall_s));
  }
  for (const Series& series : SeriesOf(metrics.samples)) {
    metrics.statistics.push_back({.name = series.name,
                                  .summary = analysis::Summarize(series.values),
                                  .drift = analysis::FindDrift(WithoutPages(series))});
  }
  if (run.profiled != nullptr) {
    metrics.profiled =
        SampleOf(run.profiled->prediction, 0, run.profiled->profile.wall_s);
  }
  return metrics;
}

}  // namespace ridgeline::inference
