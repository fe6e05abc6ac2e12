#include "inference/page_reader.h"

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <chrono>

#include "images/decode.h"
#include "inference/page_tensors.h"
#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/prompt.h"
#include "networks/shared/device.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;
namespace ocr = models::deepseek_ocr;

Status CreateIfMissing(const Options& options) {
  if (!options.create_preset || os::Exists(options.model_path)) return Ok();
  const std::optional<ocr::Dimensions> dimensions = ocr::Preset(*options.create_preset);
  if (!dimensions) {
    return Error(ErrorCode::kConfig,
                 "model.create.preset: there is no '" + *options.create_preset + "'");
  }
  return ocr::CreateCheckpoint(
      options.model_path,
      {.dimensions = *dimensions, .seed = static_cast<uint64_t>(options.create_seed)});
}

std::string WithoutEnd(std::string text, std::string_view end) {
  if (!end.empty() && text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

}  // namespace

Result<PageReader> PageReader::Load(const Options& options) {
  RIDGELINE_RETURN_IF_ERROR(CreateIfMissing(options));
  if (!os::IsDirectory(options.model_path)) {
    return Error(
        ErrorCode::kNotFound,
        fmt::format("model.path: no directory {}; `ridgeline model create` makes "
                    "one with random weights",
                    options.model_path.string()));
  }
  RIDGELINE_TRY(const networks::DeviceChoice device,
                networks::ChooseDevice(options.device, options.dtype));
  RIDGELINE_TRY(tokenizers::Tokenizer tokenizer,
                tokenizers::Tokenizer::Load(options.model_path / "tokenizer.json"));
  const std::optional<int32_t> image_id = tokenizer.IdOf("<image>");
  if (!image_id) {
    return Error(ErrorCode::kParse,
                 options.model_path.string() + "/tokenizer.json: has no token '<image>'");
  }
  RIDGELINE_TRY(
      networks::deepseek_ocr::Network network,
      networks::deepseek_ocr::Network::Load(
          options.model_path, {.dtype = device.dtype, .device = device.device}));
  return PageReader(options, std::move(network), std::move(tokenizer), *image_id);
}

Result<Prediction> PageReader::Read(const fs::path& image, int64_t max_new_tokens) const {
  const auto start = std::chrono::steady_clock::now();
  RIDGELINE_TRY(const images::Image picture, images::LoadImage(image));
  RIDGELINE_TRY(const ocr::PageViews views, ocr::MakeViews(picture, options_.preprocess));
  networks::deepseek_ocr::GenerateInput input;
  input.page = ToTensors(views, network_.options());
  input.image_id = image_id_;
  RIDGELINE_TRY(const int64_t placeholders,
                ocr::CountPlaceholders(views, options_.preprocess));
  input.prompt =
      ocr::BuildPrompt(options_.prompt,
                       {.bos_id = network_.dimensions().decoder.bos_id,
                        .image_id = image_id_,
                        .placeholders = placeholders},
                       [this](std::string_view text) { return tokenizer_.Encode(text); });
  Prediction prediction;
  prediction.image = image;
  prediction.preprocess_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  networks::deepseek_ocr::GenerateOptions generate;
  generate.max_new_tokens = max_new_tokens;
  generate.no_repeat_ngram_size = options_.no_repeat_ngram_size;
  generate.temperature = options_.temperature;
  generate.seed = static_cast<uint64_t>(options_.seed);
  RIDGELINE_TRY(prediction.generated,
                networks::deepseek_ocr::Generate(network_, input, generate));
  const std::vector<int32_t> ids(prediction.generated.ids.begin(),
                                 prediction.generated.ids.end());
  const int32_t end_id = static_cast<int32_t>(network_.dimensions().decoder.eos_id);
  prediction.text = WithoutEnd(tokenizer_.Decode(ids), tokenizer_.TokenOf(end_id));
  prediction.text_clean = tokenizer_.Decode(ids, tokenizers::SpecialTokens::kSkip);
  return prediction;
}

}  // namespace ridgeline::inference
