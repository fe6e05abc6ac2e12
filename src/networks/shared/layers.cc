#include "networks/shared/layers.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "networks/shared/bf16_linear.h"

namespace ridgeline::networks {
namespace {

// Scores of one block: heads x 256 queries x keys. At 10 heads and 8,192 keys that is
// 84 MB, and still enough queries to keep a matrix product busy.
constexpr int64_t kQueriesPerBlock = 256;

// Adds -inf where a query must not look: its keys end at first_key_count + i.
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

at::Tensor Linear::operator()(const at::Tensor& x) const {
  const bool widens = weight.scalar_type() == at::kBFloat16 &&
                      x.scalar_type() == at::kFloat && x.device().is_cpu();
  if (widens) return LinearBf16(x, weight, bias);
  return at::linear(x, weight, bias);
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, weight, bias, epsilon);
}

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
  const at::Tensor wide = x.to(at::kFloat);
  const at::Tensor variance = wide.square().mean({-1}, /*keepdim=*/true);
  return weight * (wide * at::rsqrt(variance + epsilon)).to(x.scalar_type());
}

at::Tensor GatedMlp::operator()(const at::Tensor& x) const {
  return down(at::silu(gate(x)) * up(x));
}

at::Tensor Attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     double scale, std::optional<int64_t> first_position) {
  std::vector<at::Tensor> blocks;
  const int64_t queries = q.size(-2);
  for (int64_t begin = 0; begin < queries; begin += kQueriesPerBlock) {
    const int64_t count = std::min(kQueriesPerBlock, queries - begin);
    // Keys that no query of the block may see are not even multiplied.
    const int64_t keys = first_position
                             ? std::min(k.size(-2), *first_position + begin + count)
                             : k.size(-2);
    const at::Tensor seen = k.narrow(-2, 0, keys);
    at::Tensor scores =
        at::matmul(q.narrow(-2, begin, count), seen.transpose(-2, -1)) * scale;
    if (first_position && count > 1) MaskFuture(scores, *first_position + begin + 1);
    const at::Tensor shares = at::softmax(scores, -1, at::kFloat).to(v.scalar_type());
    blocks.push_back(at::matmul(shares, v.narrow(-2, 0, keys)));
  }
  return blocks.size() == 1 ? blocks.front() : at::cat(blocks, -2);
}

}  // namespace ridgeline::networks
