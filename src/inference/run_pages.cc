#include "inference/run_pages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/find_pages.h"
#include "datasets/sample_plan.h"
#include "inference/page_reader.h"
#include "networks/shared/device.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
// Enough to have everything loaded, compiled and cached once.
constexpr int64_t kWarmupTokens = 4;

Json PhasesJson(const Prediction& prediction) {
  const networks::deepseek_ocr::Generated& generated = prediction.generated;
  const double decode_s = generated.times.decode_s;
  const double tokens = static_cast<double>(generated.ids.size());
  return {{"preprocess_s", prediction.preprocess_s},
          {"vision_s", generated.times.vision_s},
          {"prefill_s", generated.times.prefill_s},
          {"decode_s", decode_s},
          {"prompt_tokens", generated.prompt_tokens},
          {"generated_tokens", generated.ids.size()},
          {"decode_tokens_per_s", decode_s > 0 ? Json(tokens / decode_s) : Json()}};
}

Json PredictionJson(const Prediction& prediction, int64_t epoch) {
  Json json = {{"schema_version", kVersion},
               {"image", prediction.image.string()},
               {"epoch", epoch},
               {"text", prediction.text},
               {"text_clean", prediction.text_clean},
               {"ids", prediction.generated.ids},
               {"reached_end", prediction.generated.reached_end}};
  json.update(PhasesJson(prediction));
  return json;
}

// A line of JSON; what is no UTF-8 is replaced.
std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status TellProgress(const RunPlace& place, size_t done, size_t total) {
  if (place.progress_file.empty()) return Ok();
  return os::WriteFileAtomically(place.progress_file,
                                 fmt::format("{} {} pages\n", done, total));
}

struct Sums {
  Json samples = Json::array();
  double vision_s = 0;
  double prefill_s = 0;
  double decode_s = 0;
  size_t tokens = 0;

  void Add(const Prediction& prediction, int64_t repeat) {
    Json sample = {{"repeat", repeat}, {"image", prediction.image.string()}};
    sample.update(PhasesJson(prediction));
    samples.push_back(std::move(sample));
    vision_s += prediction.generated.times.vision_s;
    prefill_s += prediction.generated.times.prefill_s;
    decode_s += prediction.generated.times.decode_s;
    tokens += prediction.generated.ids.size();
  }
};

std::string MetricsJson(const Sums& sums, const Options& options) {
  const Json json = {
      {"schema_version", kVersion},
      {"what", "pages read by the built-in model; seconds, the device idle at both ends"},
      {"device", options.device},
      {"warmup_rounds", options.warmup_rounds},
      {"repeats", options.repeats},
      {"totals",
       {{"vision_s", sums.vision_s},
        {"prefill_s", sums.prefill_s},
        {"decode_s", sums.decode_s},
        {"generated_tokens", sums.tokens},
        {"decode_tokens_per_s",
         sums.decode_s > 0 ? Json(static_cast<double>(sums.tokens) / sums.decode_s)
                           : Json()}}},
      {"samples", sums.samples}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Status RunPages(const Options& options, const RunPlace& place) {
  networks::UseAllThreads();
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options.dataset));
  const std::vector<datasets::SamplePlan> samples = datasets::PlanSamples(
      pages.size(), options.dataset, datasets::ChooseSeed(options.dataset));
  RIDGELINE_TRY(const PageReader reader, PageReader::Load(options));
  for (int64_t round = 0; round < options.warmup_rounds && !samples.empty(); ++round) {
    RIDGELINE_TRY(const Prediction ignored,
                  reader.Read(pages[samples.front().page],
                              std::min(kWarmupTokens, options.max_new_tokens)));
  }
  std::string predictions;
  Sums sums;
  size_t done = 0;
  const size_t total = samples.size() * static_cast<size_t>(options.repeats);
  for (int64_t repeat = 0; repeat < options.repeats; ++repeat) {
    for (const datasets::SamplePlan& sample : samples) {
      RIDGELINE_TRY(const Prediction prediction,
                    reader.Read(pages[sample.page], options.max_new_tokens));
      if (repeat == 0) predictions += Line(PredictionJson(prediction, sample.epoch));
      sums.Add(prediction, repeat);
      RIDGELINE_RETURN_IF_ERROR(TellProgress(place, ++done, total));
    }
  }
  const std::filesystem::path folder = place.output / "pred";
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(folder));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(folder / "predictions.jsonl", predictions));
  return os::WriteFileAtomically(place.output / "metrics.json",
                                 MetricsJson(sums, options));
}

}  // namespace ridgeline::inference
