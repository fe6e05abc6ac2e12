#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// Rotary positions in f32: dimension i of the last one of x (heads, n, width) turns
// together with i + width / 2, by the angles whose cos and sin (n, width) are given. The
// operator ridgeline::rotate.
at::Tensor Rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

}  // namespace ridgeline::inference::cpu
