#include "models/deepseek_ocr/network/generate.h"

#include <c10/core/InferenceMode.h>

#include <limits>

#include "base/random.h"
#include "inference/region.h"
#include "inference/session.h"
#include "inference/torch_errors.h"
#include "models/deepseek_ocr/ngram_ban.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

class Chooser {
 public:
  Chooser(const GenerateOptions& options, const std::vector<int64_t>& prompt)
      : options_(options), ban_(options.no_repeat_ngram_size) {
    for (const int64_t token : prompt) ban_.Append(token);
  }

  // The next token, from the logits (vocabulary) of the last one.
  int64_t Choose(at::Tensor logits) {
    if (options_.on_logits) options_.on_logits(logits);
    const std::vector<int64_t>& banned = ban_.Banned();
    if (!banned.empty()) {
      const at::Tensor index = at::tensor(banned, at::kLong).to(logits.device());
      logits = logits.index_fill(0, index, -std::numeric_limits<double>::infinity());
    }
    const int64_t token =
        options_.temperature ? Draw(logits) : logits.argmax().item<int64_t>();
    ban_.Append(token);
    return token;
  }

 private:
  int64_t Draw(const at::Tensor& logits) {
    const at::Tensor shares =
        at::softmax(logits.to(at::kCPU, at::kDouble) / *options_.temperature, -1);
    const at::Tensor upto = shares.cumsum(0);
    const double fraction =
        static_cast<double>(SplitMix64At(options_.seed, drawn_++) >> 11) * 0x1.0p-53;
    const double point = fraction * upto[-1].item<double>();
    const int64_t token = at::searchsorted(upto, at::scalar_tensor(point, at::kDouble),
                                           /*out_int32=*/false, /*right=*/true)
                              .item<int64_t>();
    return std::min(token, logits.size(0) - 1);
  }

  const GenerateOptions& options_;
  models::deepseek_ocr::NgramBan ban_;
  uint64_t drawn_ = 0;
};

// Everything up to the logits after the prompt.
Result<at::Tensor> Prefill(const Network& network, const GenerateInput& input,
                           KeyValueCache& cache, PhaseTimes& times) {
  const at::Device device = network.options().device;
  const inference::Region region("prefill");
  const inference::PhaseTimer timer(device, times.prefill_s);
  at::Tensor features;
  if (input.page.global.defined()) {
    const inference::PhaseTimer vision_timer(device, times.vision_s);
    features = network.vision().EncodePage(input.page, times.vision);
  }
  RIDGELINE_TRY(const at::Tensor embeddings,
                network.Embed(input.prompt, input.image_id, features));
  const at::Tensor hidden = network.decoder().Forward(embeddings, cache);
  return network.decoder().Logits(hidden.narrow(0, hidden.size(0) - 1, 1))[0];
}

at::Tensor DecodeStep(const Network& network, int64_t token, KeyValueCache& cache) {
  const inference::Region region("decode_step");
  const at::Tensor id = at::full({1}, token, at::kLong).to(network.options().device);
  const at::Tensor hidden = network.decoder().Forward(network.decoder().Embed(id), cache);
  return network.decoder().Logits(hidden)[0];
}

struct DecodeState {
  Chooser& chooser;
  KeyValueCache& cache;
};

// From the logits after the prompt to the last token. Leaves the last logits.
void Decode(const Network& network, int64_t max_new_tokens, at::Tensor& logits,
            DecodeState state, Generated& generated) {
  const inference::Region region("decode");
  const inference::PhaseTimer timer(network.options().device, generated.times.decode_s);
  const int64_t end_id = network.dimensions().decoder.eos_id;
  while (static_cast<int64_t>(generated.ids.size()) < max_new_tokens) {
    generated.ids.push_back(state.chooser.Choose(logits));
    generated.reached_end = generated.ids.back() == end_id;
    // The logits of the last token would not be used.
    const bool is_last = static_cast<int64_t>(generated.ids.size()) == max_new_tokens;
    if (generated.reached_end || is_last) break;
    logits = DecodeStep(network, generated.ids.back(), state.cache);
    ++generated.decode_steps;
  }
}

// NaN spreads: keys and values of the cache are NaN from then on. So the last logits of a
// phase are enough; checking each step would cost a synchronization.
void CheckNan(const at::Tensor& logits, const char* phase, Generated& generated) {
  const bool is_new = generated.nan_phase.empty();
  if (is_new && logits.isnan().any().item<bool>()) generated.nan_phase = phase;
}

}  // namespace

Result<Generated> Generate(const Network& network, const GenerateInput& input,
                           const GenerateOptions& options) {
  return inference::CatchTorch("generating", [&]() -> Result<Generated> {
    const c10::InferenceMode no_gradients;
    Generated generated;
    generated.prompt_tokens = static_cast<int64_t>(input.prompt.size());
    KeyValueCache cache;
    Chooser chooser(options, input.prompt);
    RIDGELINE_TRY(at::Tensor logits, Prefill(network, input, cache, generated.times));
    CheckNan(logits, "prefill", generated);
    Decode(network, options.max_new_tokens, logits, {chooser, cache}, generated);
    CheckNan(logits, "decode", generated);
    return generated;
  });
}

}  // namespace ridgeline::networks::deepseek_ocr
