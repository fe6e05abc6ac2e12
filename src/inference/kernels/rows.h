#pragma once

#include <ATen/ATen.h>

#include <cstdint>

#include "inference/kernels/kernels.h"

namespace ridgeline::inference::cpu {

// Weight elements below which another thread costs more than it saves.
constexpr int64_t kGrain = int64_t{1} << 15;

inline const uint16_t* Bits(const at::Tensor& bf16) {
  return reinterpret_cast<const uint16_t*>(bf16.data_ptr<at::BFloat16>());
}

inline bool IsWeight(const at::Tensor& t) {
  return t.device().is_cpu() && t.dim() == 2 && t.is_contiguous() &&
         (t.scalar_type() == at::kBFloat16 || t.scalar_type() == at::kFloat);
}

// y = rows `begin` to `end` of `weight` (see IsWeight()) times x.
inline void MultiplyRows(const at::Tensor& weight, const float* x, float* y,
                         int64_t begin, int64_t end) {
  const int64_t cols = weight.size(1);
  const Kernels& kernels = BestKernels();
  if (weight.scalar_type() == at::kFloat) {
    kernels.gemv_f32(weight.data_ptr<float>() + begin * cols, x, y, end - begin, cols);
  } else {
    kernels.gemv_bf16(Bits(weight) + begin * cols, x, y, end - begin, cols);
  }
}

}  // namespace ridgeline::inference::cpu
