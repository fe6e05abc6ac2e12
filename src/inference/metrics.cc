#include "inference/metrics.h"

#include <map>
#include <nlohmann/json.hpp>

namespace ridgeline::inference {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

// The first token of a page is prefill's.
size_t DecodeSteps(const predictions::PagePrediction& prediction) {
  return prediction.ids.empty() ? 0 : prediction.ids.size() - 1;
}

Json PerSecond(size_t steps, double seconds) {
  return seconds > 0 ? Json(static_cast<double>(steps) / seconds) : Json();
}

Json SampleJson(const Sample& sample) {
  const predictions::PagePrediction& page = sample.prediction;
  Json json = {{"repeat", sample.repeat},
               {"epoch", page.epoch},
               {"image", page.image.string()},
               {"prompt_tokens", page.prompt_tokens ? Json(*page.prompt_tokens) : Json()},
               {"generated_tokens", page.ids.size()},
               {"decode_steps", DecodeSteps(page)},
               {"reached_end", page.reached_end}};
  if (page.preprocess_s) json["preprocess_s"] = *page.preprocess_s;
  for (const predictions::PhaseTime& phase : page.phases) {
    json[phase.name + "_s"] = phase.seconds;
  }
  json["decode_tokens_per_s"] =
      PerSecond(DecodeSteps(page), predictions::SecondsOf(page, "decode").value_or(0));
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

}  // namespace

std::string MetricsJson(std::span<const Sample> samples, const Options& options,
                        int64_t peak_rss_bytes) {
  Json json = {
      {"schema_version", kVersion},
      {"what",
       "pages read by the built-in model; seconds, with the device idle at both ends; "
       "prefill holds vision, and vision holds sam, clip and projector"},
      {"model", options.model},
      {"device", options.session.device},
      {"warmup_rounds", options.warmup_rounds},
      {"repeats", options.repeats},
      {"sampling",
       {{"num_epochs", options.dataset.num_epochs},
        {"randomize", options.dataset.randomize},
        {"seed", options.dataset.seed ? Json(*options.dataset.seed) : Json()}}},
      {"peak_rss_bytes", peak_rss_bytes},
      {"totals", TotalsJson(samples)},
      {"samples", Json::array()}};
  for (const Sample& sample : samples) json["samples"].push_back(SampleJson(sample));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridgeline::inference
