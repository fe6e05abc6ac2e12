#include "models/deepseek_ocr/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/deepseek_ocr/ledger_parts.h"
#include "models/deepseek_ocr/ledger_phases.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Amount;
using cost::CostClass;
using cost::CostNode;
using cost::Count;
using cost::MakePhase;

// Larger values, which exceed an int, are a mistake; products stay far below 2^64.
constexpr int64_t kMaxTokens = int64_t{1} << 31;
constexpr int64_t kLargestSide = int64_t{1} << 16;
constexpr int64_t kMaxPages = int64_t{1} << 20;

Error BadShape(const std::string& what) { return {ErrorCode::kConfig, "cost: " + what}; }

Status CheckRouting(const DecoderDimensions& d, const SampleShape& shapes) {
  if (!shapes.prompt_routing) return Ok();
  const auto& layers = shapes.prompt_routing->tokens_by_expert;
  if (static_cast<int64_t>(layers.size()) !=
      std::max<int64_t>(0, d.layers - d.dense_layers)) {
    return BadShape(fmt::format(
        "routing was recorded for {} layers, but the model has {} expert layers",
        layers.size(), d.layers - d.dense_layers));
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::vector<int64_t>& tokens = layers[i];
    const bool is_possible =
        static_cast<int64_t>(tokens.size()) == d.experts &&
        std::all_of(tokens.begin(), tokens.end(), [&](int64_t count) {
          return count >= 0 && count <= shapes.prompt_tokens;
        });
    const int64_t wanted = shapes.prompt_tokens * d.experts_per_token;
    if (!is_possible ||
        std::accumulate(tokens.begin(), tokens.end(), int64_t{0}) != wanted) {
      return BadShape(
          fmt::format("the recorded routing of expert layer {} is not {} choices of {} "
                      "tokens among {} experts",
                      i, d.experts_per_token, shapes.prompt_tokens, d.experts));
    }
  }
  return Ok();
}

Status CheckShapes(const Dimensions& dimensions, const SampleShape& shapes) {
  for (const ViewBatch& batch : shapes.views) {
    if (batch.side < dimensions.sam.patch || batch.side > kLargestSide ||
        batch.count < 0 || batch.count > kLargestSide) {
      return BadShape(fmt::format("{} views of side {}", batch.count, batch.side));
    }
  }
  const ByteWidths& bytes = shapes.bytes;
  for (const int64_t width :
       {bytes.weights, bytes.router_weights, bytes.activations, bytes.kv}) {
    if (width < 1 || width > 8) return BadShape(fmt::format("{} bytes per value", width));
  }
  if (shapes.image_tokens < 0 || shapes.image_tokens > shapes.prompt_tokens ||
      shapes.prompt_tokens > kMaxTokens) {
    return BadShape(fmt::format("{} image tokens in a prompt of {}", shapes.image_tokens,
                                shapes.prompt_tokens));
  }
  if (shapes.decode_steps < 0 || shapes.decode_steps > kMaxTokens) {
    return BadShape(fmt::format("{} decode steps", shapes.decode_steps));
  }
  const int64_t pages = shapes.batch.samples;
  if (pages < 1 || pages > kMaxPages) {
    return BadShape(fmt::format("a batch of {} pages", pages));
  }
  if (pages > 1 && shapes.prompt_routing) {
    return BadShape("recorded routing covers only one page");
  }
  return CheckRouting(dimensions.decoder, shapes);
}

CostNode ProjectorCost(const Dimensions& dimensions, const ByteWidths& bytes,
                       const ViewBatch& batch) {
  const Count side = MapsOf(dimensions.sam, batch.side).quarter;
  const LinearShape shape = {.inputs = dimensions.projector_input,
                             .outputs = dimensions.decoder.hidden,
                             .has_bias = true};
  return Parts(bytes, batch.count > 0 ? 1 : 0)
      .Linear("projector", shape, Amount::Same(side * side * batch.count));
}

// Features in page order, with newlines and a separator: moved, not computed.
CostNode LayoutCost(const DecoderDimensions& d, const SampleShape& shapes) {
  const Count elements = Count(shapes.image_tokens) * d.hidden * shapes.batch.samples;
  CostNode node = Parts(shapes.bytes, 1)
                      .Plain("layout", CostClass::kElementwise, {}, {elements, elements});
  node.parameters = {.total = Count(d.hidden) * 2, .active = Count(d.hidden) * 2};
  return node;
}

CostNode VisionCost(const Dimensions& dimensions, const SampleShape& shapes) {
  const ViewBatch nothing = {.side = dimensions.sam.patch, .count = 0};
  CostNode sam = SamCost(dimensions.sam, shapes.bytes, nothing);
  CostNode clip = ClipCost(dimensions, shapes.bytes, nothing);
  CostNode projector = ProjectorCost(dimensions, shapes.bytes, nothing);
  for (const ViewBatch& view : shapes.views) {
    const ViewBatch batch = {.side = view.side,
                             .count = view.count * shapes.batch.samples};
    AddCall(sam, SamCost(dimensions.sam, shapes.bytes, batch));
    AddCall(clip, ClipCost(dimensions, shapes.bytes, batch));
    AddCall(projector, ProjectorCost(dimensions, shapes.bytes, batch));
  }
  return MakePhase("vision", {std::move(sam), std::move(clip), std::move(projector),
                              LayoutCost(dimensions.decoder, shapes)});
}

}  // namespace

Result<SampleShape> ShapesOfPage(GridChoice grid, const PreprocessOptions& options,
                                 int64_t text_tokens) {
  RIDGELINE_TRY(const TokenLayout layout, LayoutTokens(grid, options));
  SampleShape shapes;
  shapes.grid = grid;
  if (grid.crops() > 0)
    shapes.views.push_back({.side = kCropSide, .count = grid.crops()});
  const bool may_crop = options.enable && options.crop_mode;
  shapes.views.push_back(
      {.side = may_crop ? options.base_size : options.image_size, .count = 1});
  shapes.image_tokens = layout.placeholders();
  shapes.prompt_tokens = shapes.image_tokens + text_tokens;
  return shapes;
}

Result<Ledger> MakeLedger(const Dimensions& dimensions, const SampleShape& shapes) {
  RIDGELINE_RETURN_IF_ERROR(CheckShapes(dimensions, shapes));
  const DecoderDimensions& d = dimensions.decoder;
  const DecoderWork prompt = PromptWork(d, shapes);
  const DecoderWork steps =
      DecodeWork(d, shapes.prompt_tokens, shapes.decode_steps, shapes.batch);
  return Ledger{
      .phases = {VisionCost(dimensions, shapes),
                 MakePhase("prefill", {DecoderCost(d, shapes.bytes, prompt)}),
                 MakePhase("decode", {DecoderCost(d, shapes.bytes, steps)})},
      .peaks = PeaksOf(dimensions, shapes),
      .kv_cache_bytes =
          KvCacheBytes(d, shapes.bytes, shapes.prompt_tokens + shapes.decode_steps) *
          shapes.batch.samples};
}

CostNode DecodeStepCost(const Dimensions& dimensions, const ByteWidths& bytes,
                        int64_t context, const SampleBatch& batch) {
  const DecoderWork step = DecodeWork(dimensions.decoder, context - 1, 1, batch);
  return MakePhase("decode_step", {DecoderCost(dimensions.decoder, bytes, step)});
}

Count KvCacheBytes(const DecoderDimensions& d, const ByteWidths& bytes, int64_t tokens) {
  return Count(2) * d.layers * d.kv_heads * d.head_width() * bytes.kv * tokens;
}

cost::Parameters ModelParameters(const Dimensions& dimensions) {
  const CostNode vision = VisionCost(dimensions, {});
  const CostNode decoder =
      DecoderCost(dimensions.decoder, {}, DecodeWork(dimensions.decoder, 0, 0));
  return {.total = vision.parameters.total + decoder.parameters.total,
          .active = decoder.parameters.active};
}

}  // namespace ridgeline::models::deepseek_ocr
