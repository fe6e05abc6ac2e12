#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// sum over i of shares[i] * downs[i] (silu(gates[i] x) * (ups[i] x)) for one token, x
// (1, n) and shares (count) in f32 and weights in bf16 or f32: all gated networks that a
// token goes through in two passes over threads instead of three for each. The operator
// ridgeline::mixture.
at::Tensor Mixture(const at::Tensor& x, const at::Tensor& shares, at::TensorList gates,
                   at::TensorList ups, at::TensorList downs);

}  // namespace ridgeline::inference::cpu
