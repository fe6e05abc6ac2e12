#include "inference/metrics.h"

#include <algorithm>

namespace ridgeline::inference {

using profiles::ModelMetrics;
using profiles::ModelSample;

ModelSample SampleOf(const predictions::Prediction& page, int64_t repeat, double wall_s) {
  const auto tokens = static_cast<int64_t>(page.ids.size());
  ModelSample sample = {.image = page.image.string(),
                        .repeat = repeat,
                        .epoch = page.epoch,
                        .prompt_tokens = page.prompt_tokens,
                        .generated_tokens = tokens,
                        // Prefill generates the first token of a page.
                        .decode_steps = std::max<int64_t>(0, tokens - 1),
                        .reached_end = page.reached_end,
                        .times = {{"end_to_end", wall_s}}};
  if (page.preprocess_s) sample.times.push_back({"preprocess", *page.preprocess_s});
  for (const predictions::PhaseTime& phase : page.phases) {
    sample.times.push_back({phase.name, phase.seconds});
  }
  return sample;
}

ModelMetrics EmptyMetrics(const Options& options) {
  return {.model = options.model,
          .device = options.session.device,
          .warmup_rounds = options.warmup_rounds,
          .warmup_synthetic = options.warmup_synthetic,
          .repeats = options.repeats,
          .sampling = {.num_epochs = options.dataset.num_epochs,
                       .randomize = options.dataset.randomize,
                       .seed = options.dataset.seed}};
}

}  // namespace ridgeline::inference
