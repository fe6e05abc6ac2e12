#include "networks/shared/bf16_kernels.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgeline::networks {
namespace {

// bf16 is the upper half of f32.
float Widened(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

void WidenPortable(const uint16_t* w, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = Widened(w[i]);
}

void GemvPortable(const uint16_t* w, const float* x, float* y, int64_t rows,
                  int64_t cols) {
  for (int64_t row = 0; row < rows; ++row, w += cols) {
    float sums[4] = {};
    int64_t c = 0;
    for (; c + 4 <= cols; c += 4) {
      for (int64_t i = 0; i < 4; ++i) sums[i] += Widened(w[c + i]) * x[c + i];
    }
    for (; c < cols; ++c) sums[0] += Widened(w[c]) * x[c];
    y[row] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
}

bool Always() { return true; }

#if defined(__x86_64__)
bool HasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

__attribute__((target("avx2,fma"))) inline __m256 Widened8(const uint16_t* w) {
  const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

__attribute__((target("avx2,fma"))) inline float SumOf(__m256 v) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

__attribute__((target("avx2,fma"))) void WidenAvx2(const uint16_t* w, float* out,
                                                   int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) _mm256_storeu_ps(out + i, Widened8(w + i));
  WidenPortable(w + i, out + i, count - i);
}

// Four sums at a time hide the latency of the multiplications.
__attribute__((target("avx2,fma"))) void GemvAvx2(const uint16_t* w, const float* x,
                                                  float* y, int64_t rows, int64_t cols) {
  for (int64_t row = 0; row < rows; ++row, w += cols) {
    __m256 a = _mm256_setzero_ps();
    __m256 b = a;
    __m256 c = a;
    __m256 d = a;
    int64_t i = 0;
    for (; i + 32 <= cols; i += 32) {
      a = _mm256_fmadd_ps(Widened8(w + i), _mm256_loadu_ps(x + i), a);
      b = _mm256_fmadd_ps(Widened8(w + i + 8), _mm256_loadu_ps(x + i + 8), b);
      c = _mm256_fmadd_ps(Widened8(w + i + 16), _mm256_loadu_ps(x + i + 16), c);
      d = _mm256_fmadd_ps(Widened8(w + i + 24), _mm256_loadu_ps(x + i + 24), d);
    }
    for (; i + 8 <= cols; i += 8) {
      a = _mm256_fmadd_ps(Widened8(w + i), _mm256_loadu_ps(x + i), a);
    }
    float sum = SumOf(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
    for (; i < cols; ++i) sum += Widened(w[i]) * x[i];
    y[row] = sum;
  }
}

__attribute__((target("avx512f,avx512bw"))) inline __m512 Widened16(const uint16_t* w) {
  const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(w));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

__attribute__((target("avx512f,avx512bw"))) void WidenAvx512(const uint16_t* w,
                                                             float* out, int64_t count) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(out + i, Widened16(w + i));
  WidenPortable(w + i, out + i, count - i);
}

__attribute__((target("avx512f,avx512bw"))) void GemvAvx512(const uint16_t* w,
                                                            const float* x, float* y,
                                                            int64_t rows, int64_t cols) {
  for (int64_t row = 0; row < rows; ++row, w += cols) {
    __m512 a = _mm512_setzero_ps();
    __m512 b = a;
    __m512 c = a;
    __m512 d = a;
    int64_t i = 0;
    for (; i + 64 <= cols; i += 64) {
      a = _mm512_fmadd_ps(Widened16(w + i), _mm512_loadu_ps(x + i), a);
      b = _mm512_fmadd_ps(Widened16(w + i + 16), _mm512_loadu_ps(x + i + 16), b);
      c = _mm512_fmadd_ps(Widened16(w + i + 32), _mm512_loadu_ps(x + i + 32), c);
      d = _mm512_fmadd_ps(Widened16(w + i + 48), _mm512_loadu_ps(x + i + 48), d);
    }
    for (; i + 16 <= cols; i += 16) {
      a = _mm512_fmadd_ps(Widened16(w + i), _mm512_loadu_ps(x + i), a);
    }
    float sum =
        _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, d)));
    for (; i < cols; ++i) sum += Widened(w[i]) * x[i];
    y[row] = sum;
  }
}
#endif

constexpr Bf16Kernels kKernels[] = {
#if defined(__x86_64__)
    {"avx512", HasAvx512, GemvAvx512, WidenAvx512},
    {"avx2", HasAvx2, GemvAvx2, WidenAvx2},
#endif
    {"portable", Always, GemvPortable, WidenPortable},
};

}  // namespace

std::span<const Bf16Kernels> AllBf16Kernels() { return kKernels; }

const Bf16Kernels& BestBf16Kernels() {
  static const Bf16Kernels& best = []() -> const Bf16Kernels& {
    const Bf16Kernels* chosen = kKernels;
    while (!chosen->is_supported()) ++chosen;
    return *chosen;
  }();
  return best;
}

}  // namespace ridgeline::networks
