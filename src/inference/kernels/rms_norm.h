#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// x / sqrt(mean of squares + epsilon) * weight over the last dimension, all in f32, in
// one pass instead of six calls. The operator ridgeline::rms_norm.
at::Tensor RmsNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

}  // namespace ridgeline::inference::cpu
