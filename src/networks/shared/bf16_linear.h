#pragma once

#include <ATen/ATen.h>

namespace ridgeline::networks {

// x W^T + b for f32 `x` and a bf16 `weight` on the CPU, in f32. An operator of libtorch's
// dispatcher (ridgeline::linear_bf16), so that profilers and counters see it.
at::Tensor LinearBf16(const at::Tensor& x, const at::Tensor& weight,
                      const at::Tensor& bias);

}  // namespace ridgeline::networks
