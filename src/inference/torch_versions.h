// Differences between the supported versions of libtorch (Debian's 1.13, pip's 2.x). No
// other file depends on the version.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/version.h>

#include <cstddef>
#include <cstdint>

namespace ridgeline::inference {

#if TORCH_VERSION_MAJOR >= 2
// The type in which c10::MemoryReportingInfoBase reports totals.
using AllocatedTotal = size_t;

// q, k, v: [batch, heads, tokens, width].
inline at::Tensor ScaledDotProductAttention(const at::Tensor& q, const at::Tensor& k,
                                            const at::Tensor& v, bool is_causal,
                                            double scale) {
  return at::scaled_dot_product_attention(q, k, v, /*attn_mask=*/{}, /*dropout_p=*/0.0,
                                          is_causal, scale);
}
#else
using AllocatedTotal = int64_t;

// Undefined: this version has none with a scale.
inline at::Tensor ScaledDotProductAttention(const at::Tensor&, const at::Tensor&,
                                            const at::Tensor&, bool, double) {
  return {};
}
#endif

}  // namespace ridgeline::inference
