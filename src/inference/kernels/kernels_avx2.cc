#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>

#include "inference/kernels/kernels.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace ridgeline::inference::cpu {
namespace {

struct Lanes {
  using Vector = __m256;
  static constexpr int64_t kCount = 8;

  static Vector Zero() { return _mm256_setzero_ps(); }
  static Vector Load(const float* w) { return _mm256_loadu_ps(w); }
  static Vector Load(const uint16_t* w) {
    const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
  }
  static Vector Repeat(float value) { return _mm256_set1_ps(value); }
  static Vector MultiplyAdd(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static Vector Add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static void Store(float* out, Vector v) { _mm256_storeu_ps(out, v); }
  static float Sum(Vector v) {
    const __m128 four =
        _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
  }
};

#include "inference/kernels/kernels_simd.h"

}  // namespace
#pragma GCC pop_options

const Kernels kAvx2Kernels = {
    .name = "avx2",
    .is_supported =
        [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); },
    .gemv_bf16 = Gemv<uint16_t>,
    .gemv_f32 = Gemv<float>,
    .widen_bf16 = Widen,
    .mix_rows = Mix};

}  // namespace ridgeline::inference::cpu
#endif
