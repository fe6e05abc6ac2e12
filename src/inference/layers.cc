#include "inference/layers.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "inference/kernels/ops.h"
#include "inference/scope.h"
#include "inference/torch_versions.h"

namespace ridgeline::inference {
namespace {

// Adds -inf for masked keys: those of query i end at first_key_count + i.
void MaskFuture(at::Tensor& scores, int64_t first_key_count) {
  const int64_t queries = scores.size(-2);
  const int64_t keys = scores.size(-1);
  const at::Tensor key = at::arange(keys, scores.options().dtype(at::kLong));
  const at::Tensor last = at::arange(first_key_count - 1, first_key_count - 1 + queries,
                                     scores.options().dtype(at::kLong));
  scores.masked_fill_(key.unsqueeze(0) > last.unsqueeze(1),
                      -std::numeric_limits<double>::infinity());
}

}  // namespace

bool RunsOnOurKernels(const at::Tensor& x) {
  return x.device().is_cpu() && x.scalar_type() == at::kFloat;
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
  // ATen is fast only for f32 GEMMs with many rows.
  const bool is_product =
      weight.scalar_type() == at::kFloat && x.numel() > 4 * x.size(-1);
  if (!RunsOnOurKernels(x) || is_product) return at::linear(x, weight, bias);
  return cpu::Linear(x, weight, bias);
}

at::Tensor MultiplyIn(const char* scope_name, const at::Tensor& a, const at::Tensor& b) {
  const Scope scope(scope_name);
  return at::matmul(a, b);
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight, bias, epsilon);
}

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
  if (RunsOnOurKernels(x)) return cpu::RmsNorm(x, weight, epsilon);
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor variance = wide.square().mean({-1}, /*keepdim=*/true);
  return weight * (wide * at::rsqrt(variance + epsilon)).to(x.scalar_type());
}

at::Tensor GatedMlp::operator()(const at::Tensor& x) const {
  if (RunsOnOurKernels(x) && x.dim() == 2 && x.size(0) == 1) {
    return cpu::Mixture(x, at::ones({1}, x.options()), gate.weight, up.weight,
                        down.weight);
  }
  return In("down", down, at::silu(In("gate", gate, x)) * In("up", up, x));
}

namespace {

// Undefined if the fused kernel does not support the required mask.
at::Tensor FusedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                          const AttentionOptions& options) {
  const bool sees_all = !options.first_position || q.size(-2) == 1;
  const bool is_causal = options.first_position == 0 && q.size(-2) == k.size(-2);
  if (!sees_all && !is_causal) return {};
  const bool has_batch = q.dim() == 4;
  const auto batched = [&](const at::Tensor& x) {
    return has_batch ? x : x.unsqueeze(0);
  };
  const at::Tensor mixed = ScaledDotProductAttention(batched(q), batched(k), batched(v),
                                                     !sees_all, options.scale);
  return has_batch || !mixed.defined() ? mixed : mixed.squeeze(0);
}

}  // namespace

at::Tensor Attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     const AttentionOptions& options) {
  if (options.fused) {
    at::Tensor mixed = FusedAttention(q, k, v, options);
    if (mixed.defined()) return mixed;
  }
  const std::optional<int64_t>& first = options.first_position;
  std::vector<at::Tensor> blocks;
  const int64_t queries = q.size(-2);
  for (int64_t begin = 0; begin < queries; begin += kQueriesPerBlock) {
    const int64_t count = std::min(kQueriesPerBlock, queries - begin);
    // Skips keys that are masked for all queries of the block.
    const int64_t keys =
        first ? std::min(k.size(-2), *first + begin + count) : k.size(-2);
    const at::Tensor seen = k.narrow(-2, 0, keys);
    at::Tensor scores =
        MultiplyIn("scores", q.narrow(-2, begin, count), seen.transpose(-2, -1)) *
        options.scale;
    if (first && count > 1) MaskFuture(scores, *first + begin + 1);
    const at::Tensor shares = at::softmax(scores, -1, at::kFloat).to(v.scalar_type());
    blocks.push_back(MultiplyIn("values", shares, v.narrow(-2, 0, keys)));
  }
  return blocks.size() == 1 ? blocks.front() : at::cat(blocks, -2);
}

}  // namespace ridgeline::inference
