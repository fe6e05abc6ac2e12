// CPU operators for networks, on libtorch tensors.
#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// softmax(q k^T * scale) v of one token in f32: q (heads, 1, width), keys and values (key
// heads, n, width) as stored in the cache, where each key head serves heads / key heads
// adjacent heads. Returns (heads, 1, width). The operator ridgeline::attend_token.
at::Tensor AttendToken(const at::Tensor& q, const at::Tensor& keys,
                       const at::Tensor& values, double scale);

// x W^T + b on the CPU, for x in f32 and W in bf16 or f32; `bias` may be undefined. Calls
// the operator ridgeline::linear, so that profilers see it.
at::Tensor Linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// sum over i of shares[i] * downs[i] (silu(gates[i] x) * (ups[i] x)) for one token, x (1,
// n) and shares (count) in f32 and weights in bf16 or f32: all gated networks of a token
// in two parallel passes instead of three per network. The operator ridgeline::mixture.
at::Tensor Mixture(const at::Tensor& x, const at::Tensor& shares, at::TensorList gates,
                   at::TensorList ups, at::TensorList downs);

// x / sqrt(mean of squares + epsilon) * weight over the last dimension, all in f32, in
// one pass instead of six calls. The operator ridgeline::rms_norm.
at::Tensor RmsNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// Rotary positions in f32: in the last dimension of x (heads, n, width), element i is
// rotated together with i + width / 2, by the angles with the given cos and sin (n,
// width). The operator ridgeline::rotate.
at::Tensor Rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

}  // namespace ridgeline::inference::cpu
