#include <fmt/format.h>

#include <cmath>

#include "inference/kernels/ops.h"
#include "inference/scope.h"
#include "models/deepseek_ocr/network/network.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

// (n, heads * width) -> (heads, n, width)
at::Tensor SplitHeads(const at::Tensor& x, int64_t heads) {
  return x.view({x.size(0), heads, -1}).transpose(0, 1);
}

// Dimension i is rotated together with i + half, not with the next one.
at::Tensor Rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
  if (inference::RunsOnOurKernels(x)) return inference::cpu::Rotate(x, cos, sin);
  const int64_t half = x.size(-1) / 2;
  const at::Tensor turned =
      at::cat({-x.narrow(-1, half, half), x.narrow(-1, 0, half)}, -1);
  return x * cos + turned * sin;
}

// Capacity for `wanted` tokens: doubled, so that growing is rare.
void Reserve(at::Tensor& tensor, int64_t used, int64_t wanted, const at::Tensor& like) {
  constexpr int64_t kFirst = 256;
  const int64_t room = tensor.defined() ? tensor.size(1) : 0;
  if (wanted <= room) return;
  const int64_t larger = std::max({wanted, 2 * room, kFirst});
  at::Tensor grown = at::empty({like.size(0), larger, like.size(2)}, like.options());
  if (used > 0) grown.narrow(1, 0, used).copy_(tensor.narrow(1, 0, used));
  tensor = std::move(grown);
}

}  // namespace

KeyValueCache::Pair KeyValueCache::Append(size_t layer, const at::Tensor& keys,
                                          const at::Tensor& values) {
  if (layers_.size() <= layer) layers_.resize(layer + 1);
  Pair& pair = layers_[layer];
  const int64_t count = keys.size(1);
  Reserve(pair.keys, length_, length_ + count, keys);
  Reserve(pair.values, length_, length_ + count, values);
  pair.keys.narrow(1, length_, count).copy_(keys);
  pair.values.narrow(1, length_, count).copy_(values);
  return {pair.keys.narrow(1, 0, length_ + count),
          pair.values.narrow(1, 0, length_ + count)};
}

KeyValueCache::Pair KeyValueCache::At(size_t layer) const {
  const Pair& pair = layers_[layer];
  return {pair.keys.narrow(1, 0, length_), pair.values.narrow(1, 0, length_)};
}

Decoder::Decoder(const models::deepseek_ocr::DecoderDimensions& dimensions,
                 const Weights& weights)
    : dimensions_(dimensions),
      fused_attention_(weights.options().fused_attention),
      embeddings_(weights.GetMatrix("model.embed_tokens.weight")),
      norm_{weights.Get("model.norm.weight"), dimensions.norm_epsilon},
      head_(weights.GetLinearWithoutBias("lm_head")) {
  for (int64_t i = 0; i < dimensions.layers; ++i) {
    layers_.push_back(LoadLayer(i, weights));
  }
}

Decoder::Layer Decoder::LoadLayer(int64_t index, const Weights& weights) const {
  const std::string name = fmt::format("model.layers.{}.", index);
  const double epsilon = dimensions_.norm_epsilon;
  Layer layer;
  layer.input_norm = {weights.Get(name + "input_layernorm.weight"), epsilon};
  layer.q = weights.GetLinearWithoutBias(name + "self_attn.q_proj");
  layer.k = weights.GetLinearWithoutBias(name + "self_attn.k_proj");
  layer.v = weights.GetLinearWithoutBias(name + "self_attn.v_proj");
  layer.o = weights.GetLinearWithoutBias(name + "self_attn.o_proj");
  layer.post_norm = {weights.Get(name + "post_attention_layernorm.weight"), epsilon};
  layer.has_experts = index >= dimensions_.dense_layers;
  if (!layer.has_experts) {
    layer.dense = weights.GetMlp(name + "mlp");
    return layer;
  }
  layer.router = weights.Get(name + "mlp.gate.weight").to(at::kFloat);
  for (int64_t expert = 0; expert < dimensions_.experts; ++expert) {
    layer.experts.push_back(
        weights.GetMlp(fmt::format("{}mlp.experts.{}", name, expert)));
  }
  layer.has_shared = dimensions_.shared_experts > 0;
  if (layer.has_shared) layer.dense = weights.GetMlp(name + "mlp.shared_experts");
  return layer;
}

at::Tensor Decoder::Embed(const at::Tensor& ids) const {
  return at::embedding(embeddings_, ids).to(norm_.weight.scalar_type());
}

Decoder::Rotation Decoder::RotationFor(int64_t first_position, int64_t count,
                                       const at::Tensor& like) const {
  const auto options = like.options().dtype(at::kFloat);
  const int64_t width = dimensions_.head_width();
  const at::Tensor exponents = at::arange(0, width, 2, options) / width;
  const at::Tensor frequencies = 1.0 / at::pow(dimensions_.rope_theta, exponents);
  const at::Tensor positions =
      at::arange(first_position, first_position + count, options);
  const at::Tensor half = positions.unsqueeze(1) * frequencies.unsqueeze(0);
  const at::Tensor angles = at::cat({half, half}, -1);
  return {at::cos(angles).to(like.scalar_type()), at::sin(angles).to(like.scalar_type())};
}

at::Tensor Decoder::Attend(size_t index, const at::Tensor& x, const Rotation& rotation,
                           KeyValueCache& cache) const {
  const Layer& layer = layers_[index];
  const inference::Scope scope("attn");
  const at::Tensor q =
      Rotate(SplitHeads(inference::In("q", layer.q, x), dimensions_.heads), rotation.cos,
             rotation.sin);
  const at::Tensor k =
      Rotate(SplitHeads(inference::In("k", layer.k, x), dimensions_.kv_heads),
             rotation.cos, rotation.sin);
  const at::Tensor v = SplitHeads(inference::In("v", layer.v, x), dimensions_.kv_heads);
  KeyValueCache::Pair all = cache.Append(index, k, v);
  const double scale = 1 / std::sqrt(static_cast<double>(dimensions_.head_width()));
  if (inference::RunsOnOurKernels(x) && x.size(0) == 1) {
    const at::Tensor mixed = inference::cpu::AttendToken(q, all.keys, all.values, scale);
    return inference::In("o", layer.o, mixed.view(x.sizes()));
  }
  const int64_t queries_per_key = dimensions_.heads / dimensions_.kv_heads;
  if (queries_per_key > 1) {
    all.keys = all.keys.repeat_interleave(queries_per_key, 0);
    all.values = all.values.repeat_interleave(queries_per_key, 0);
  }
  const at::Tensor mixed = inference::Attention(
      q, all.keys, all.values,
      {.scale = scale, .first_position = cache.length(), .fused = fused_attention_});
  return inference::In("o", layer.o,
                       mixed.transpose(0, 1).reshape({x.size(0), dimensions_.hidden}));
}

Decoder::Routing Decoder::Route(size_t layer, const at::Tensor& x) const {
  const inference::Scope scope("router");
  const at::Tensor logits = at::linear(x.to(at::kFloat), layers_[layer].router);
  const at::Tensor all = at::softmax(logits, -1, at::kFloat);
  auto [shares, chosen] = all.topk(dimensions_.experts_per_token, -1);
  return {std::move(shares), std::move(chosen)};
}

// Each token goes through its top experts, weighted by the router's softmax over all of
// them (not renormalized), and through the shared experts.
at::Tensor Decoder::Feed(size_t index, const at::Tensor& x) const {
  const Layer& layer = layers_[index];
  const inference::Scope scope("mlp");
  if (!layer.has_experts) return layer.dense(x);
  const Routing routing = Route(index, x);
  const at::Tensor chosen = routing.chosen.to(at::kCPU).contiguous();
  const at::ArrayRef<int64_t> choices(chosen.data_ptr<int64_t>(),
                                      static_cast<size_t>(chosen.numel()));
  const bool is_one = inference::RunsOnOurKernels(x) && x.size(0) == 1;
  const at::Tensor routed = is_one ? MixOne(layer, x, routing.shares[0], choices)
                                   : MixMany(layer, x, routing.shares, choices);
  return layer.has_shared ? routed + inference::In("shared", layer.dense, x) : routed;
}

// One token on the CPU.
at::Tensor Decoder::MixOne(const Layer& layer, const at::Tensor& x,
                           const at::Tensor& shares,
                           at::ArrayRef<int64_t> choices) const {
  std::vector<at::Tensor> gates;
  std::vector<at::Tensor> ups;
  std::vector<at::Tensor> downs;
  for (const int64_t choice : choices) {
    const inference::GatedMlp& expert = layer.experts[static_cast<size_t>(choice)];
    gates.push_back(expert.gate.weight);
    ups.push_back(expert.up.weight);
    downs.push_back(expert.down.weight);
  }
  const inference::Scope scope("experts");
  return inference::cpu::Mixture(x, shares, gates, ups, downs);
}

// All tokens of an expert at once.
at::Tensor Decoder::MixMany(const Layer& layer, const at::Tensor& x,
                            const at::Tensor& shares,
                            at::ArrayRef<int64_t> choices) const {
  const inference::Scope scope("experts");
  const int64_t per_token = dimensions_.experts_per_token;
  // Rows of (token, choice) for each expert.
  std::vector<std::vector<int64_t>> rows_of(layer.experts.size());
  for (size_t i = 0; i < choices.size(); ++i) {
    rows_of[static_cast<size_t>(choices[i])].push_back(static_cast<int64_t>(i));
  }
  at::Tensor sum = at::zeros(x.sizes(), x.options().dtype(at::kFloat));
  const at::Tensor flat_shares = shares.flatten().unsqueeze(1);
  for (size_t expert = 0; expert < rows_of.size(); ++expert) {
    if (rows_of[expert].empty()) continue;
    const at::Tensor rows = at::tensor(rows_of[expert], at::kLong).to(x.device());
    const at::Tensor tokens = at::div(rows, per_token, "floor");
    const at::Tensor output = layer.experts[expert](x.index_select(0, tokens));
    sum.index_add_(0, tokens, output.to(at::kFloat) * flat_shares.index_select(0, rows));
  }
  return sum.to(x.scalar_type());
}

at::Tensor Decoder::RunLayer(size_t index, const at::Tensor& x, const Rotation& rotation,
                             KeyValueCache& cache) const {
  const inference::Scope scope("layer", index);
  const Layer& layer = layers_[index];
  const at::Tensor y = x + Attend(index, layer.input_norm(x), rotation, cache);
  return y + Feed(index, layer.post_norm(y));
}

at::Tensor Decoder::Forward(const at::Tensor& embeddings, KeyValueCache& cache,
                            const inference::Observer& observer) const {
  const inference::Scope scope("decoder");
  at::Tensor x = embeddings;
  const Rotation rotation = RotationFor(cache.length(), x.size(0), x);
  for (size_t i = 0; i < layers_.size(); ++i) {
    x = RunLayer(i, x, rotation, cache);
    if (observer) inference::Tell(observer, fmt::format("decoder.layer{}", i), x);
  }
  cache.Advance(x.size(0));
  return x;
}

at::Tensor Decoder::Logits(const at::Tensor& hidden) const {
  const inference::Scope scope("decoder");
  return inference::In("lm_head", head_, norm_(hidden)).to(at::kFloat);
}

}  // namespace ridgeline::networks::deepseek_ocr
