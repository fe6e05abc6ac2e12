#include "models/estimate.h"

#include <fmt/format.h>

#include "model_io/datasets/find_samples.h"
#include "model_io/datasets/sample_plan.h"
#include "model_io/images/decode.h"
#include "models/registry.h"

namespace ridgeline::models {
namespace {

struct SampleImage {
  std::string origin;
  cost::ImageSize size;
};

Result<SampleImage> FindImage(const EstimateOptions& options) {
  if (options.use_synthetic_inputs) {
    return SampleImage{"synthetic", cost::kSyntheticPage};
  }
  RIDGELINE_TRY(const std::vector<std::filesystem::path> pages,
                datasets::FindPages(options.dataset));
  const std::vector<datasets::SamplePlan> samples = datasets::PlanSamples(
      pages.size(), options.dataset, datasets::ChooseSeed(options.dataset));
  const std::filesystem::path& first = pages[samples.empty() ? 0 : samples[0].page];
  RIDGELINE_TRY(const images::Image image, images::LoadImage(first));
  return SampleImage{first.string(), {.width = image.width, .height = image.height}};
}

// Cost of decode with this routing of experts.
Result<cost::Cost> DecodeCost(const Model& model, cost::SampleShape shape,
                              const cost::ContextRule& context,
                              cost::ExpertSpread spread) {
  shape.batch.experts = spread;
  RIDGELINE_TRY(const cost::Ledger ledger, model.LedgerOf(shape, context));
  return ledger.phase("decode").cost;
}

// Adds the cost of the first and last decode step, and of decode with other expert
// routing.
Status AddDecode(const Model& model, cost::Estimate& estimate) {
  const cost::SampleShape& shape = estimate.shape;
  const cost::CostNode* const decode = estimate.ledger.Find("decode");
  if (decode == nullptr) return Ok();
  estimate.decode_uniform = decode->cost;
  estimate.decode_most = decode->cost;
  if (shape.batch.samples > 1) {
    RIDGELINE_TRY(estimate.decode_uniform, DecodeCost(model, shape, estimate.context,
                                                      cost::ExpertSpread::kUniform));
    RIDGELINE_TRY(estimate.decode_most,
                  DecodeCost(model, shape, estimate.context, cost::ExpertSpread::kMost));
  }
  if (shape.decode_steps > 0) {
    estimate.first_step = model.StepCost(shape.bytes, estimate.contexts.first, {});
    estimate.last_step = model.StepCost(shape.bytes, estimate.contexts.last, {});
  }
  estimate.experts = model.ExpertsPerStep(shape.batch.samples);
  return Ok();
}

}  // namespace

Result<cost::ByteWidths> WidthsOf(hardware::DeviceKind kind, std::string_view dtype,
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
    return cost::ByteWidths{
        .weights = weights, .router_weights = 4, .activations = 4, .kv = 4};
  }
  const int64_t width = is_wide ? 4 : 2;
  return cost::ByteWidths{
      .weights = width, .router_weights = 4, .activations = width, .kv = width};
}

Result<std::unique_ptr<Model>> OpenModel(const EstimateOptions& options) {
  return OpenModel(options.model, {.config_json = {},
                                   .origin = {},
                                   .path = options.model_path,
                                   .preset = options.preset});
}

Result<cost::Estimate> EstimateSample(const Model& model, const EstimateOptions& options,
                                      hardware::DeviceKind kind) {
  RIDGELINE_TRY(SampleImage image, FindImage(options));
  const bool stored_in_bf16 = model.stored_dtype() == checkpoints::DType::kBf16;
  RIDGELINE_TRY(const cost::ByteWidths widths,
                WidthsOf(kind, options.device.dtype, stored_in_bf16));
  cost::Estimate estimate = {.model = options.model,
                             .model_origin = std::string(model.origin()),
                             .config_json = model.ConfigJson(),
                             .page = image.size,
                             .page_origin = std::move(image.origin),
                             .preprocess = options.preprocess,
                             .context = options.context,
                             .parameters = model.parameters()};
  RIDGELINE_TRY(estimate.shape, model.ShapeOf({.image = image.size,
                                               .preprocess = options.preprocess,
                                               .prompt = options.prompt,
                                               .new_tokens = options.max_new_tokens,
                                               .bytes = widths,
                                               .batch = {.samples = options.batch}}));
  RIDGELINE_TRY(estimate.ledger, model.LedgerOf(estimate.shape, options.context));
  estimate.contexts = model.ContextsOf(estimate.shape, options.context);
  RIDGELINE_RETURN_IF_ERROR(AddDecode(model, estimate));
  return estimate;
}

Result<cost::Estimate> EstimateSample(const EstimateOptions& options,
                                      hardware::DeviceKind kind) {
  RIDGELINE_TRY(const std::unique_ptr<Model> model, OpenModel(options));
  return EstimateSample(*model, options, kind);
}

}  // namespace ridgeline::models
