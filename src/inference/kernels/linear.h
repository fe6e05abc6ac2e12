#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// x W^T + b on the CPU, for x in f32 and W in bf16 or f32; `bias` may be undefined. A
// call of the operator ridgeline::linear, so that profilers see it.
at::Tensor Linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace ridgeline::inference::cpu
