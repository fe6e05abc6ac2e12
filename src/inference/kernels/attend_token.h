#pragma once

#include <ATen/ATen.h>

namespace ridgeline::inference::cpu {

// softmax(q k^T * scale) v of one token in f32: q (heads, 1, width), keys and values
// (key heads, n, width) as the cache keeps them, where a key head serves heads / key
// heads neighbours. Returns (heads, 1, width). The operator ridgeline::attend_token.
at::Tensor AttendToken(const at::Tensor& q, const at::Tensor& keys,
                       const at::Tensor& values, double scale);

}  // namespace ridgeline::inference::cpu
