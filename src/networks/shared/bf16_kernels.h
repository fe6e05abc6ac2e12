// Products of weights in bf16 with activations in f32, for CPUs whose own bf16 is slow.
// Decoding reads every weight once per token, so that half the bytes are half the time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridgeline::networks {

// y[r] = sum over c of w[r * cols + c] * x[c], for `rows` rows.
using Bf16Gemv = void (*)(const uint16_t* w, const float* x, float* y, int64_t rows,
                          int64_t cols);
// out[i] = the bf16 number w[i] as f32.
using Bf16Widen = void (*)(const uint16_t* w, float* out, int64_t count);

struct Bf16Kernels {
  std::string_view name;  // "avx2"
  bool (*is_supported)();
  Bf16Gemv gemv;
  Bf16Widen widen;
};

// Fastest first; the last one, portable, is supported everywhere.
std::span<const Bf16Kernels> AllBf16Kernels();

// The fastest that this CPU supports.
const Bf16Kernels& BestBf16Kernels();

}  // namespace ridgeline::networks
