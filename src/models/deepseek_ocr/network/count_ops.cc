#include "models/deepseek_ocr/network/count_ops.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>

namespace ridgeline::networks::deepseek_ocr {
namespace {

template <typename Work>
inference::OpCounts::Phase CountPhase(const char* name, const Work& work) {
  const inference::OpCounter counter;
  work();
  return {name, counter.rows(), counter.unknown()};
}

inference::OpCounts ShapesOf(const GenerateInput& input, int64_t decode_steps) {
  inference::OpCounts counts;
  for (const at::Tensor& views : {input.page.crops, input.page.global}) {
    if (views.defined()) counts.views.push_back({views.size(-1), views.size(0)});
  }
  counts.prompt_tokens = static_cast<int64_t>(input.prompt.size());
  counts.image_tokens =
      std::count(input.prompt.begin(), input.prompt.end(), input.image_id);
  counts.decode_steps = decode_steps;
  return counts;
}

}  // namespace

Result<inference::OpCounts> CountOps(const Network& network, const GenerateInput& input,
                                     int64_t decode_steps) {
  const c10::InferenceMode no_gradients;
  const Decoder& decoder = network.decoder();
  inference::OpCounts counts = ShapesOf(input, decode_steps);
  at::Tensor features;
  counts.phases.push_back(CountPhase("vision", [&] {
    VisionTimes ignored;
    features = network.vision().EncodePage(input.page, ignored);
  }));
  RIDGELINE_TRY(const at::Tensor embeddings,
                network.Embed(input.prompt, input.image_id, features));
  KeyValueCache cache;
  at::Tensor logits;
  counts.phases.push_back(CountPhase("prefill", [&] {
    const at::Tensor hidden = decoder.Forward(embeddings, cache);
    logits = decoder.Logits(hidden.narrow(0, hidden.size(0) - 1, 1));
  }));
  counts.phases.push_back(CountPhase("decode", [&] {
    for (int64_t i = 0; i < decode_steps; ++i) {
      const at::Tensor id = logits[0].argmax().unsqueeze(0);
      logits = decoder.Logits(decoder.Forward(decoder.Embed(id), cache));
    }
  }));
  return counts;
}

}  // namespace ridgeline::networks::deepseek_ocr
