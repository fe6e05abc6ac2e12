#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>

#include "inference/kernels/kernels.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw")

namespace ridgeline::inference::cpu {
namespace {

struct Lanes {
  using Vector = __m512;
  static constexpr int64_t kCount = 16;

  static Vector Zero() { return _mm512_setzero_ps(); }
  static Vector Load(const float* w) { return _mm512_loadu_ps(w); }
  static Vector Load(const uint16_t* w) {
    const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
  }
  static Vector Repeat(float value) { return _mm512_set1_ps(value); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  static Vector Add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static void Store(float* out, Vector v) { _mm512_storeu_ps(out, v); }
  static float Sum(Vector v) { return _mm512_reduce_add_ps(v); }
};

#include "inference/kernels/kernels_simd.h"

}  // namespace
#pragma GCC pop_options

const Kernels kAvx512Kernels = {.name = "avx512",
                                .is_supported =
                                    [] {
                                      return __builtin_cpu_supports("avx512f") &&
                                             __builtin_cpu_supports("avx512bw");
                                    },
                                .gemv_bf16 = Gemv<uint16_t>,
                                .gemv_f32 = Gemv<float>,
                                .widen_bf16 = Widen,
                                .mix_rows = Mix};

}  // namespace ridgeline::inference::cpu
#endif
