// Operators of networks on the CPU, on tensors of libtorch.
#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// softmax(q k^T * scale) v of one token in f32: q (heads, 1, width), keys and values
// (key heads, n, width) as the cache keeps them, where a key head serves heads / key
// heads neighbours. Returns (heads, 1, width). The operator ridgeline::attend_token.
at::Tensor AttendToken(const at::Tensor& q, const at::Tensor& keys,
                       const at::Tensor& values, double scale);

// x W^T + b on the CPU, for x in f32 and W in bf16 or f32; `bias` may be undefined. A
// call of the operator ridgeline::linear, so that profilers see it.
at::Tensor Linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// sum over i of shares[i] * downs[i] (silu(gates[i] x) * (ups[i] x)) for one token, x
// (1, n) and shares (count) in f32 and weights in bf16 or f32: all gated networks that a
// token goes through in two passes over threads instead of three for each. The operator
// ridgeline::mixture.
at::Tensor Mixture(const at::Tensor& x, const at::Tensor& shares, at::TensorList gates,
                   at::TensorList ups, at::TensorList downs);

// x / sqrt(mean of squares + epsilon) * weight over the last dimension, all in f32, in
// one pass instead of six calls. The operator ridgeline::rms_norm.
at::Tensor RmsNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// Rotary positions in f32: dimension i of the last one of x (heads, n, width) turns
// together with i + width / 2, by the angles whose cos and sin (n, width) are given. The
// operator ridgeline::rotate.
at::Tensor Rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

}  // namespace ridgeline::inference::cpu
