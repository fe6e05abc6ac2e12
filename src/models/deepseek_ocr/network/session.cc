#include "models/deepseek_ocr/network/session.h"

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <algorithm>

#include "inference/device.h"
#include "inference/session.h"
#include "inference/torch_errors.h"
#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/grounding.h"
#include "models/deepseek_ocr/network/generate.h"
#include "models/deepseek_ocr/network/page_tensors.h"
#include "models/deepseek_ocr/page_markdown.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/prompt.h"
#include "os/files.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

namespace fs = std::filesystem;
namespace ocr = models::deepseek_ocr;

Status CreateIfMissing(const inference::SessionOptions& options) {
  if (!options.create_preset || os::Exists(options.path)) return Ok();
  const std::optional<ocr::Dimensions> dimensions = ocr::Preset(*options.create_preset);
  if (!dimensions) {
    return Error(ErrorCode::kConfig,
                 "model.create.preset: unknown preset '" + *options.create_preset + "'");
  }
  return ocr::CreateCheckpoint(
      options.path,
      {.dimensions = *dimensions, .seed = static_cast<uint64_t>(options.create_seed)});
}

ocr::PreprocessOptions PreprocessOf(const inference::SessionOptions& options) {
  return {.enable = options.preprocess.enable,
          .base_size = static_cast<int>(options.preprocess.base_size),
          .image_size = static_cast<int>(options.preprocess.image_size),
          .crop_mode = options.preprocess.crop_mode};
}

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

// Reads the page like Generate and counts GEMMs by phase. The network must attend in
// blocks, not with a fused kernel, whose shapes do not show the GEMMs.
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

std::string WithoutEnd(std::string text, std::string_view end) {
  if (!end.empty() && text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

class OcrSession final : public inference::Session {
 public:
  OcrSession(const inference::SessionOptions& options, Network network,
             tokenizers::Tokenizer tokenizer, int64_t image_id)
      : options_(options),
        preprocess_(PreprocessOf(options)),
        network_(std::move(network)),
        tokenizer_(std::move(tokenizer)),
        image_id_(image_id) {}

  Result<predictions::Prediction> Read(const images::Image& page,
                                       int64_t max_new_tokens) const override {
    predictions::Prediction prediction;
    prediction.preprocess_s = 0;
    RIDGELINE_TRY(const GenerateInput input, Prepare(page, *prediction.preprocess_s));
    GenerateOptions generate;
    generate.max_new_tokens = max_new_tokens;
    generate.no_repeat_ngram_size = options_.no_repeat_ngram_size;
    generate.temperature = options_.temperature;
    generate.seed = static_cast<uint64_t>(options_.seed);
    RIDGELINE_TRY(const Generated generated, Generate(network_, input, generate));
    Fill(generated, prediction);
    return prediction;
  }

  Result<inference::OpCounts> Count(const images::Image& page,
                                    int64_t decode_steps) const override {
    double ignored_s = 0;
    RIDGELINE_TRY(const GenerateInput input, Prepare(page, ignored_s));
    return inference::CatchTorch("counting",
                                 [&] { return CountOps(network_, input, decode_steps); });
  }

  std::vector<fs::path> files() const override {
    std::vector<fs::path> files = network_.files();
    files.push_back(options_.path / "tokenizer.json");
    return files;
  }

 private:
  Result<GenerateInput> Prepare(const images::Image& page, double& seconds) const {
    const inference::PhaseTimer timer(at::kCPU, seconds);
    RIDGELINE_TRY(const ocr::PageViews views, ocr::MakeViews(page, preprocess_));
    RIDGELINE_TRY(const int64_t placeholders, ocr::CountPlaceholders(views, preprocess_));
    GenerateInput input;
    input.page = ToTensors(views, network_.options());
    input.image_id = image_id_;
    input.prompt = ocr::BuildPrompt(
        options_.prompt,
        {.bos_id = network_.dimensions().decoder.bos_id,
         .image_id = image_id_,
         .placeholders = placeholders},
        [this](std::string_view text) { return tokenizer_.Encode(text); });
    return input;
  }

  void Fill(const Generated& generated, predictions::Prediction& prediction) const {
    const std::vector<int32_t> ids(generated.ids.begin(), generated.ids.end());
    const int32_t end_id = static_cast<int32_t>(network_.dimensions().decoder.eos_id);
    prediction.text = WithoutEnd(tokenizer_.Decode(ids), tokenizer_.TokenOf(end_id));
    prediction.text_clean =
        tokenizer_.Decode(ids, tokenizers::SpecialTokens::kSkipAllButTableTags);
    prediction.grounded = ocr::ParseGroundings(prediction.text);
    prediction.markdown = ocr::PageMarkdown(prediction.text, prediction.grounded);
    prediction.ids = generated.ids;
    prediction.reached_end = generated.reached_end;
    prediction.nan_phase = generated.nan_phase;
    prediction.prompt_tokens = generated.prompt_tokens;
    const PhaseTimes& times = generated.times;
    prediction.phases = {
        {"vision", times.vision_s},    {"prefill", times.prefill_s},
        {"decode", times.decode_s},    {"sam", times.vision.sam_s},
        {"clip", times.vision.clip_s}, {"projector", times.vision.projector_s}};
  }

  inference::SessionOptions options_;
  ocr::PreprocessOptions preprocess_;
  Network network_;
  tokenizers::Tokenizer tokenizer_;
  int64_t image_id_;
};

}  // namespace

Result<std::unique_ptr<inference::Session>> MakeSession(
    const inference::SessionOptions& options) {
  RIDGELINE_RETURN_IF_ERROR(CreateIfMissing(options));
  if (!os::IsDirectory(options.path)) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("model.path: no such directory: {}; `ridgeline model "
                             "create` writes a checkpoint with random weights",
                             options.path.string()));
  }
  RIDGELINE_TRY(const inference::DeviceChoice device,
                inference::ChooseDevice(options.device, options.dtype));
  RIDGELINE_TRY(tokenizers::Tokenizer tokenizer,
                tokenizers::Tokenizer::Load(options.path / "tokenizer.json"));
  const std::optional<int32_t> image_id = tokenizer.IdOf("<image>");
  if (!image_id) {
    return Error(ErrorCode::kParse,
                 options.path.string() + "/tokenizer.json: token '<image>' is missing");
  }
  RIDGELINE_TRY(
      Network network,
      Network::Load(options.path, {.dtype = device.dtype,
                                   .device = device.device,
                                   .fused_attention = options.fused_attention}));
  return std::unique_ptr<inference::Session>(std::make_unique<OcrSession>(
      options, std::move(network), std::move(tokenizer), *image_id));
}

}  // namespace ridgeline::networks::deepseek_ocr
