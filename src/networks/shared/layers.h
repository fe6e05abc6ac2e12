// The small pieces that networks are made of, on ATen tensors.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>

namespace ridgeline::networks {

// y = x W^T + b; `bias` may be undefined. On the CPU the weight may be bf16 where x is
// f32.
struct Linear {
  at::Tensor weight;  // (outputs, inputs)
  at::Tensor bias;    // (outputs)

  at::Tensor operator()(const at::Tensor& x) const;
};

struct LayerNorm {
  at::Tensor weight;
  at::Tensor bias;
  double epsilon = 1e-5;

  at::Tensor operator()(const at::Tensor& x) const;  // Over the last dimension.
};

// Computed in f32, cast back, then scaled, as the Llama family does it.
struct RmsNorm {
  at::Tensor weight;
  double epsilon = 1e-6;

  at::Tensor operator()(const at::Tensor& x) const;
};

// down(silu(gate x) * up x)
struct GatedMlp {
  Linear gate;
  Linear up;
  Linear down;

  at::Tensor operator()(const at::Tensor& x) const;
};

// softmax(q k^T * scale + mask) v over (heads, queries, width) and (heads, keys, width),
// a block of queries at a time, so that the scores of long sequences never exist as a
// whole. With `first_position`, query i sees keys up to first_position + i only; without,
// all of them.
at::Tensor Attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     double scale, std::optional<int64_t> first_position = std::nullopt);

}  // namespace ridgeline::networks
