#include "networks/deepseek_ocr/generate.h"

#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <limits>

#include "models/deepseek_ocr/ngram_ban.h"
#include "networks/shared/region.h"
#include "networks/shared/torch_errors.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

using Clock = std::chrono::steady_clock;

// Work on a GPU is only begun when a call returns.
void WaitFor(at::Device device) {
  if (device.is_cpu()) return;
  const c10::impl::VirtualGuardImpl guard(device.type());
  guard.synchronizeStream(guard.getStream(device));
}

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The next number of SplitMix64, as a fraction of 1.
double NextFraction(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

class Chooser {
 public:
  Chooser(const GenerateOptions& options, const std::vector<int64_t>& prompt)
      : options_(options), ban_(options.no_repeat_ngram_size), state_(options.seed) {
    for (const int64_t token : prompt) ban_.Append(token);
  }

  // The next token, by the logits (vocabulary) of the last one.
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
    const double point = NextFraction(state_) * upto[-1].item<double>();
    const int64_t token = at::searchsorted(upto, at::scalar_tensor(point, at::kDouble),
                                           /*out_int32=*/false, /*right=*/true)
                              .item<int64_t>();
    return std::min(token, logits.size(0) - 1);
  }

  const GenerateOptions& options_;
  models::deepseek_ocr::NgramBan ban_;
  uint64_t state_;
};

// Everything up to the logits behind the prompt.
Result<at::Tensor> Prefill(const Network& network, const GenerateInput& input,
                           KeyValueCache& cache, PhaseTimes& times) {
  const Region region("prefill");
  const Clock::time_point start = Clock::now();
  at::Tensor features;
  if (input.page.global.defined()) features = network.vision().EncodePage(input.page);
  WaitFor(network.options().device);
  times.vision_s = SecondsSince(start);
  RIDGELINE_TRY(const at::Tensor embeddings,
                network.Embed(input.prompt, input.image_id, features));
  const at::Tensor hidden = network.decoder().Forward(embeddings, cache);
  at::Tensor logits = network.decoder().Logits(hidden.narrow(0, hidden.size(0) - 1, 1));
  WaitFor(network.options().device);
  times.prefill_s = SecondsSince(start);
  return logits[0];
}

at::Tensor DecodeStep(const Network& network, int64_t token, KeyValueCache& cache) {
  const Region region("decode_step");
  const at::Tensor id = at::full({1}, token, at::kLong).to(network.options().device);
  const at::Tensor hidden = network.decoder().Forward(network.decoder().Embed(id), cache);
  return network.decoder().Logits(hidden)[0];
}

}  // namespace

Result<Generated> Generate(const Network& network, const GenerateInput& input,
                           const GenerateOptions& options) {
  return CatchTorch("generating", [&]() -> Result<Generated> {
    const c10::InferenceMode no_gradients;
    Generated generated;
    generated.prompt_tokens = static_cast<int64_t>(input.prompt.size());
    KeyValueCache cache;
    Chooser chooser(options, input.prompt);
    RIDGELINE_TRY(at::Tensor logits, Prefill(network, input, cache, generated.times));

    const Region region("decode");
    const Clock::time_point start = Clock::now();
    const int64_t end_id = network.dimensions().decoder.eos_id;
    while (static_cast<int64_t>(generated.ids.size()) < options.max_new_tokens) {
      generated.ids.push_back(chooser.Choose(logits));
      generated.reached_end = generated.ids.back() == end_id;
      // The last token's own logits would be thrown away.
      const bool is_last =
          static_cast<int64_t>(generated.ids.size()) == options.max_new_tokens;
      if (generated.reached_end || is_last) break;
      logits = DecodeStep(network, generated.ids.back(), cache);
    }
    WaitFor(network.options().device);
    generated.times.decode_s = SecondsSince(start);
    return generated;
  });
}

}  // namespace ridgeline::networks::deepseek_ocr
