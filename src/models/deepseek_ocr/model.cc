#include "models/deepseek_ocr/model.h"

#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/page_shapes.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/tensor_list.h"
#include "os/files.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using tokenizers::Tokenizer;

constexpr std::string_view kName = "deepseek_ocr";

// The vendor's maximum number of crops per page.
constexpr int kMaxCrops = 9;

// Named like the regions in network/generate.cc.
constexpr RegionSpec kRegions[] = {
    {.path = "prefill", .phase = "vision", .module = ""},
    {.path = "prefill", .phase = "prefill", .module = ""},
    {.path = "prefill/sam", .phase = "vision", .module = "sam"},
    {.path = "prefill/clip", .phase = "vision", .module = "clip"},
    {.path = "prefill/projector", .phase = "vision", .module = "projector"},
    {.path = "decode", .phase = "decode", .module = ""},
    {.path = "decode/decode_step", .phase = "decode", .module = "", .per_step = true},
};

constexpr PhaseClock kClocks[] = {
    {.phase = "vision", .includes = ""},
    {.phase = "prefill", .includes = "vision"},
    {.phase = "decode", .includes = ""},
};

struct Source {
  std::string origin;
  Dimensions dimensions;
  std::optional<Tokenizer> tokenizer;  // nullopt: config.json only.
  checkpoints::DType stored_dtype = checkpoints::DType::kBf16;
};

class OcrModel final : public Model {
 public:
  explicit OcrModel(Source source) : source_(std::move(source)) {}

  std::string_view name() const override { return kName; }
  std::string_view sample_unit() const override { return "page"; }
  std::string_view origin() const override { return source_.origin; }
  std::string ConfigJson() const override {
    return deepseek_ocr::ConfigJson(source_.dimensions);
  }

  cost::Parameters parameters() const override {
    return ModelParameters(source_.dimensions);
  }
  std::vector<checkpoints::ExpectedTensor> tensors() const override {
    return TensorList(source_.dimensions);
  }
  checkpoints::DType stored_dtype() const override { return source_.stored_dtype; }

  std::span<const RegionSpec> regions() const override { return kRegions; }
  std::span<const PhaseClock> clocks() const override { return kClocks; }

  Result<SampleShape> ShapeOf(const SampleRequest& request) const override {
    if (!source_.tokenizer) {
      return Error(ErrorCode::kUnsupported, source_.origin + " has no tokenizer");
    }
    return ShapesOfRequest(source_.dimensions, *source_.tokenizer, request);
  }

  // The number of crops follows from that of image tokens.
  std::optional<SampleShape> ShapeOfTokens(
      int64_t prompt_tokens, int64_t text_tokens,
      const PreprocessOptions& preprocess) const override {
    for (int rows = 1; rows <= kMaxCrops; ++rows) {
      for (int cols = 1; cols * rows <= kMaxCrops; ++cols) {
        Result<SampleShape> shape =
            ShapesOfPage({.cols = cols, .rows = rows}, preprocess, text_tokens);
        if (shape.ok() && shape.value().prompt_tokens == prompt_tokens) {
          return std::move(shape).value();
        }
      }
    }
    return std::nullopt;
  }

  Result<Ledger> LedgerOf(const SampleShape& shape,
                          const ContextRule& rule) const override {
    return MakeLedger(source_.dimensions, shape, rule);
  }
  StepContexts ContextsOf(const SampleShape& shape,
                          const ContextRule& rule) const override {
    return deepseek_ocr::ContextsOf(source_.dimensions, shape, rule);
  }
  cost::Cost StepCost(const ByteWidths& bytes, int64_t context,
                      const SampleBatch& batch) const override {
    return DecodeStepCost(source_.dimensions, bytes, context, batch).cost;
  }
  std::optional<ExpertsRead> ExpertsPerStep(int64_t samples) const override {
    const DecoderDimensions& decoder = source_.dimensions.decoder;
    if (decoder.layers <= decoder.dense_layers) return std::nullopt;
    return ExpertsReadOf(decoder, samples);
  }

 private:
  Source source_;
};

Result<Dimensions> PresetNamed(const std::string& name) {
  const std::optional<Dimensions> dimensions = Preset(name);
  if (dimensions) return *dimensions;
  return Error(ErrorCode::kConfig, "model.create.preset: no such preset: '" + name + "'");
}

Result<Source> FromPreset(const std::string& name) {
  RIDGELINE_TRY(Dimensions dimensions, PresetNamed(name));
  RIDGELINE_TRY(Tokenizer tokenizer,
                Tokenizer::Parse(ByteTokenizerJson(), "tokenizer.json"));
  return Source{"preset " + name, std::move(dimensions), std::move(tokenizer)};
}

// A folder may contain only config.json: then assumes the type of the published weights.
checkpoints::DType StoredDType(const std::filesystem::path& folder) {
  const Result<checkpoints::Checkpoint> opened = checkpoints::Checkpoint::Open(folder);
  if (!opened.ok()) return checkpoints::DType::kBf16;
  const checkpoints::TensorView* head = opened.value().Find("lm_head.weight");
  return head == nullptr ? checkpoints::DType::kBf16 : head->dtype;
}

Result<Source> FromFolder(const std::filesystem::path& path) {
  RIDGELINE_TRY(const std::filesystem::path folder,
                checkpoints::FindModelDirectory(path));
  const std::filesystem::path config = folder / "config.json";
  RIDGELINE_TRY(const std::string text, os::ReadFile(config));
  RIDGELINE_TRY(Dimensions dimensions, ParseDimensions(text, config.string()));
  RIDGELINE_TRY(Tokenizer tokenizer, Tokenizer::Load(folder / "tokenizer.json"));
  return Source{config.string(), std::move(dimensions), std::move(tokenizer),
                StoredDType(folder)};
}

Result<Source> FindSource(const ModelSource& source) {
  if (source.config_json) {
    RIDGELINE_TRY(Dimensions dimensions,
                  ParseDimensions(*source.config_json, source.origin));
    return Source{source.origin, std::move(dimensions), std::nullopt};
  }
  if (!os::Exists(source.path) && source.preset) return FromPreset(*source.preset);
  if (!os::IsDirectory(source.path)) {
    return Error(ErrorCode::kNotFound,
                 "model.path: no such directory: " + source.path.string() +
                     "; create one with random weights: `ridgeline model create`");
  }
  return FromFolder(source.path);
}

}  // namespace

Result<std::unique_ptr<Model>> Open(const ModelSource& source) {
  RIDGELINE_TRY(Source found, FindSource(source));
  return std::unique_ptr<Model>(std::make_unique<OcrModel>(std::move(found)));
}

Status Create(const std::filesystem::path& directory,
              const models::CreateOptions& options) {
  RIDGELINE_TRY(Dimensions dimensions, PresetNamed(options.preset));
  return CreateCheckpoint(directory, {.dimensions = std::move(dimensions),
                                      .seed = options.seed,
                                      .dtype = options.dtype});
}

}  // namespace ridgeline::models::deepseek_ocr
