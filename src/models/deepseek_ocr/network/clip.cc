#include <fmt/format.h>

#include <cmath>

#include "inference/scope.h"
#include "models/deepseek_ocr/network/vision.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

constexpr double kClipEpsilon = 1e-5;

at::Tensor QuickGelu(const at::Tensor& x) { return x * at::sigmoid(x * 1.702); }

}  // namespace

ClipEncoder::ClipEncoder(const models::deepseek_ocr::ClipDimensions& dimensions,
                         const Weights& weights)
    : dimensions_(dimensions), fused_attention_(weights.options().fused_attention) {
  const std::string root = "model.vision_model.";
  class_embedding_ = weights.Get(root + "embeddings.class_embedding");
  positions_ = weights.Get(root + "embeddings.position_embedding.weight");
  pre_norm_ = weights.GetNorm(root + "pre_layrnorm", kClipEpsilon);
  for (int64_t i = 0; i < dimensions.layers; ++i) {
    const std::string name = fmt::format("{}transformer.layers.{}.", root, i);
    layers_.push_back({.norm1 = weights.GetNorm(name + "layer_norm1", kClipEpsilon),
                       .qkv = weights.GetLinear(name + "self_attn.qkv_proj"),
                       .out = weights.GetLinear(name + "self_attn.out_proj"),
                       .norm2 = weights.GetNorm(name + "layer_norm2", kClipEpsilon),
                       .fc1 = weights.GetLinear(name + "mlp.fc1"),
                       .fc2 = weights.GetLinear(name + "mlp.fc2")});
  }
}

// Keeps the row of the class token; interpolates the square of the others to the grid.
at::Tensor ClipEncoder::Positions(int64_t grid) const {
  const int64_t side = dimensions_.table_side;
  if (grid == side) return positions_;
  const at::Tensor square = positions_.narrow(0, 1, side * side)
                                .to(at::kFloat)
                                .view({1, side, side, -1})
                                .permute({0, 3, 1, 2});
  const at::Tensor stretched =
      at::_upsample_bicubic2d_aa(square, {grid, grid}, /*align_corners=*/false,
                                 c10::nullopt, c10::nullopt)
          .permute({0, 2, 3, 1})
          .reshape({grid * grid, -1})
          .to(positions_.scalar_type());
  return at::cat({positions_.narrow(0, 0, 1), stretched}, 0);
}

at::Tensor ClipEncoder::Attend(const Layer& layer, const at::Tensor& x) const {
  const int64_t views = x.size(0);
  const int64_t tokens = x.size(1);
  const int64_t heads = dimensions_.heads;
  const int64_t head_width = dimensions_.width / heads;
  const inference::Scope scope("attn");
  const at::Tensor qkv = inference::In("qkv", layer.qkv, x)
                             .view({views, tokens, 3, heads, head_width})
                             .permute({2, 0, 3, 1, 4});
  const double scale = 1 / std::sqrt(static_cast<double>(head_width));
  const at::Tensor mixed =
      inference::Attention(qkv[0], qkv[1], qkv[2],
                           {.scale = scale, .fused = fused_attention_})
          .transpose(1, 2)
          .reshape({views, tokens, dimensions_.width});
  return inference::In("out", layer.out, mixed);
}

at::Tensor ClipEncoder::Feed(const Layer& layer, const at::Tensor& x) {
  const inference::Scope scope("mlp");
  return inference::In("fc2", layer.fc2, QuickGelu(inference::In("fc1", layer.fc1, x)));
}

at::Tensor ClipEncoder::Encode(const at::Tensor& features,
                               const inference::Observer& observer) const {
  const inference::Scope scope("clip");
  const int64_t views = features.size(0);
  const at::Tensor patches = features.flatten(2).transpose(1, 2);
  const at::Tensor classes =
      class_embedding_.view({1, 1, -1}).expand({views, 1, dimensions_.width});
  at::Tensor x = at::cat({classes, patches}, 1) + Positions(features.size(2));
  inference::Tell(observer, "clip.embeddings", x);
  x = pre_norm_(x);
  inference::Tell(observer, "clip.pre_ln", x);
  for (size_t i = 0; i < layers_.size(); ++i) {
    const inference::Scope layer_scope("layer", i);
    const Layer& layer = layers_[i];
    x = x + Attend(layer, layer.norm1(x));
    x = x + Feed(layer, layer.norm2(x));
    if (observer) inference::Tell(observer, fmt::format("clip.layer{}", i), x);
  }
  inference::Tell(observer, "clip", x);
  return x;
}

}  // namespace ridgeline::networks::deepseek_ocr
