// Inner loops of decoding on a CPU. Each token reads every weight once, so these are
// limited by memory bandwidth, and bf16 weights take half the time of f32 (ATen's own
// bf16 is slower than its f32 on CPUs without bf16 instructions).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridgeline::inference::cpu {

// y[r] = sum over c of w[r * cols + c] * x[c], for `rows` rows.
using GemvBf16 = void (*)(const uint16_t* w, const float* x, float* y, int64_t rows,
                          int64_t cols);
using GemvF32 = void (*)(const float* w, const float* x, float* y, int64_t rows,
                         int64_t cols);
// out[i] = the bf16 number w[i] as f32.
using WidenBf16 = void (*)(const uint16_t* w, float* out, int64_t count);
// y[c] = sum over r of share[r] * m[r * cols + c], of `rows` rows.
using MixRows = void (*)(const float* m, const float* share, float* y, int64_t rows,
                         int64_t cols);

struct Kernels {
  std::string_view name;  // "avx2"
  bool (*is_supported)();
  GemvBf16 gemv_bf16;
  GemvF32 gemv_f32;
  WidenBf16 widen_bf16;
  MixRows mix_rows;
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

// Fastest first; the last one, portable, is supported everywhere.
std::span<const Kernels* const> AllKernels();

// The fastest variant supported by this CPU.
const Kernels& BestKernels();

}  // namespace ridgeline::inference::cpu
