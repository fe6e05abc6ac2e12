// Building blocks of networks, on ATen tensors.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>

namespace ridgeline::inference {

// Whether x is f32 on the CPU, where kernels/ has operators for single tokens and for
// weights in bf16.
bool RunsOnOurKernels(const at::Tensor& x);

// y = x W^T + b; `bias` may be undefined. On the CPU the weight may be bf16 while x is
// f32.
struct Linear {
  at::Tensor weight;  // (outputs, inputs)
  at::Tensor bias;    // (outputs)

  at::Tensor operator()(const at::Tensor& x) const;
};

// a b, in a scope of that name (scope.h).
at::Tensor MultiplyIn(const char* scope_name, const at::Tensor& a, const at::Tensor& b);

struct LayerNorm {
  at::Tensor weight;
  at::Tensor bias;
  double epsilon = 1e-5;

  at::Tensor operator()(const at::Tensor& x) const;  // Over the last dimension.
};

// Computed in f32, cast back, then scaled, like the Llama family.
struct RmsNorm {
  at::Tensor weight;
  double epsilon = 1e-6;

  at::Tensor operator()(const at::Tensor& x) const;
};

// down(silu(gate x) * up x), without biases.
struct GatedMlp {
  Linear gate;
  Linear up;
  Linear down;

  at::Tensor operator()(const at::Tensor& x) const;
};

// Queries are processed in blocks, each with only the keys visible to any of its queries.
// With 10 heads and 8,192 keys the scores of a block are 84 MB, and there are still
// enough queries to keep a GEMM busy. Fused kernels use other block sizes; their FLOPs
// are counted as if they used this one.
inline constexpr int64_t kQueriesPerBlock = 256;

// softmax(q k^T * scale + mask) v over (heads, queries, width) and (heads, keys, width),
// one block of queries at a time, so that the scores of long sequences are never fully
// materialized; or with libtorch's fused kernel.
struct AttentionOptions {
  double scale = 1;
  // If set, query i only sees keys up to first_position + i; otherwise all keys.
  std::optional<int64_t> first_position;
  bool fused = false;  // If supported by the build: from libtorch 2.1 on.
};
at::Tensor Attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     const AttentionOptions& options);

}  // namespace ridgeline::inference
