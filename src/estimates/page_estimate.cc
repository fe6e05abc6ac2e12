#include "estimates/page_estimate.h"

#include <fmt/format.h>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/datasets/find_samples.h"
#include "model_io/datasets/sample_plan.h"
#include "model_io/images/decode.h"
#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/presets.h"
#include "os/files.h"

namespace ridgeline::estimates {
namespace {

namespace ocr = models::deepseek_ocr;
using tokenizers::Tokenizer;

constexpr std::string_view kModel = "deepseek_ocr";

struct Source {
  std::string origin;
  ocr::Dimensions dimensions;
  Tokenizer tokenizer;
  bool stored_in_bf16 = true;
};

Result<Source> FromPreset(const std::string& name) {
  const std::optional<ocr::Dimensions> dimensions = ocr::Preset(name);
  if (!dimensions) {
    return Error(ErrorCode::kConfig,
                 "model.create.preset: no such preset: '" + name + "'");
  }
  RIDGELINE_TRY(Tokenizer tokenizer,
                Tokenizer::Parse(ocr::ByteTokenizerJson(), "tokenizer.json"));
  return Source{"preset " + name, *dimensions, std::move(tokenizer)};
}

// A folder may hold config.json alone: then weights are taken for what they are published
// in.
bool IsStoredInBf16(const std::filesystem::path& folder) {
  const Result<checkpoints::Checkpoint> opened = checkpoints::Checkpoint::Open(folder);
  if (!opened.ok()) return true;
  const checkpoints::TensorView* head = opened.value().Find("lm_head.weight");
  return head == nullptr || head->dtype == checkpoints::DType::kBf16;
}

Result<Source> FromFolder(const std::filesystem::path& path) {
  RIDGELINE_TRY(const std::filesystem::path folder,
                checkpoints::FindModelDirectory(path));
  const std::filesystem::path config = folder / "config.json";
  RIDGELINE_TRY(const std::string text, os::ReadFile(config));
  RIDGELINE_TRY(const ocr::Dimensions dimensions,
                ocr::ParseDimensions(text, config.string()));
  RIDGELINE_TRY(Tokenizer tokenizer, Tokenizer::Load(folder / "tokenizer.json"));
  return Source{config.string(), dimensions, std::move(tokenizer),
                IsStoredInBf16(folder)};
}

Result<Source> FindSource(const EstimateOptions& options) {
  if (!os::Exists(options.model_path) && options.preset) {
    return FromPreset(*options.preset);
  }
  if (!os::IsDirectory(options.model_path)) {
    return Error(ErrorCode::kNotFound,
                 "model.path: no such directory: " + options.model_path.string() +
                     "; create one with random weights: `ridgeline model create`");
  }
  return FromFolder(options.model_path);
}

struct Page {
  std::string origin;
  ocr::PageSize size;
};

Result<Page> FindPage(const EstimateOptions& options) {
  if (options.use_synthetic_inputs) return Page{"synthetic", ocr::kMadeUpPage};
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options.dataset));
  const std::vector<datasets::SamplePlan> samples = datasets::PlanSamples(
      pages.size(), options.dataset, datasets::ChooseSeed(options.dataset));
  const std::filesystem::path& first = pages[samples.empty() ? 0 : samples[0].page];
  RIDGELINE_TRY(const images::Image image, images::LoadImage(first));
  return Page{first.string(), {.width = image.width, .height = image.height}};
}

// What decode costs with experts chosen like that.
Result<cost::Cost> DecodeCost(const ocr::Dimensions& dimensions, ocr::LedgerShapes shapes,
                              const ocr::ContextRule& context, ocr::ExpertSpread spread) {
  shapes.batch.experts = spread;
  RIDGELINE_TRY(const ocr::Ledger ledger, ocr::MakeLedger(dimensions, shapes, context));
  return ledger.decode.cost;
}

}  // namespace

std::string WhyNotEstimated(std::string_view model) {
  if (model == kModel) return "";
  return fmt::format("no FLOP ledger for model {}; only {} has one", model, kModel);
}

Result<ocr::ByteWidths> WidthsOf(hardware::DeviceKind kind, std::string_view dtype,
                                 bool stored_in_bf16) {
  const bool is_wide = dtype == "fp32" || dtype == "float32";
  const bool is_narrow =
      dtype == "bf16" || dtype == "bfloat16" || dtype == "fp16" || dtype == "float16";
  if (!is_wide && !is_narrow) {
    return Error(ErrorCode::kConfig,
                 fmt::format("model.dtype: unsupported dtype '{}'", dtype));
  }
  if (kind == hardware::DeviceKind::kCpu) {
    const int64_t weights = stored_in_bf16 ? 2 : 4;
    return ocr::ByteWidths{
        .weights = weights, .router_weights = 4, .activations = 4, .kv = 4};
  }
  const int64_t width = is_wide ? 4 : 2;
  return ocr::ByteWidths{
      .weights = width, .router_weights = 4, .activations = width, .kv = width};
}

Result<PageEstimate> EstimatePage(const EstimateOptions& options,
                                  hardware::DeviceKind kind) {
  const std::string why_not = WhyNotEstimated(options.model);
  if (!why_not.empty()) return Error(ErrorCode::kUnsupported, why_not);
  RIDGELINE_TRY(const Source source, FindSource(options));
  RIDGELINE_TRY(Page page, FindPage(options));
  RIDGELINE_TRY(const ocr::ByteWidths widths,
                WidthsOf(kind, options.device.dtype, source.stored_in_bf16));
  RIDGELINE_TRY(ocr::PageShapes shapes,
                ocr::ShapesOfRequest(source.dimensions, source.tokenizer,
                                     {.page = page.size,
                                      .preprocess = options.preprocess,
                                      .prompt = options.prompt,
                                      .new_tokens = options.max_new_tokens,
                                      .bytes = widths,
                                      .batch = {.pages = options.batch}}));
  RIDGELINE_TRY(ocr::Ledger ledger,
                ocr::MakeLedger(source.dimensions, shapes.shapes, options.context));
  cost::Cost uniform = ledger.decode.cost;
  cost::Cost most = ledger.decode.cost;
  if (options.batch > 1) {
    RIDGELINE_TRY(uniform, DecodeCost(source.dimensions, shapes.shapes, options.context,
                                      ocr::ExpertSpread::kUniform));
    RIDGELINE_TRY(most, DecodeCost(source.dimensions, shapes.shapes, options.context,
                                   ocr::ExpertSpread::kMost));
  }
  const ocr::StepContexts contexts =
      ocr::ContextsOf(source.dimensions, shapes.shapes, options.context);
  return PageEstimate{.model = options.model,
                      .model_origin = source.origin,
                      .dimensions = source.dimensions,
                      .preprocess = options.preprocess,
                      .page = page.size,
                      .page_origin = std::move(page.origin),
                      .shapes = std::move(shapes),
                      .context = options.context,
                      .contexts = contexts,
                      .ledger = std::move(ledger),
                      .decode_uniform = uniform,
                      .decode_most = most};
}

}  // namespace ridgeline::estimates
