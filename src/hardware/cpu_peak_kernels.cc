#include "hardware/cpu_peak_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgeline::hardware {
namespace {

// Converges to 1 without reaching it: no overflow, no denormals.
constexpr float kFactor = 0.75F;
constexpr float kSummand = 0.25F;

// Four cycles of latency on two units need eight accumulators; 12 also cover five cycles
// and, with the two constants, still fit in 16 registers.
constexpr int kSums = 12;

// A different run-time value for each sum: a compiler computes identical sums only once.
inline float Start(float start, int sum) { return start * static_cast<float>(sum); }

// Separate multiply and add if the target has no fused instruction.
using PortableVector [[gnu::vector_size(16)]] = float;

float FmaPortable(int64_t iterations, float start) {
  PortableVector sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = PortableVector{} + Start(start, i);
  for (int64_t i = 0; i < iterations; ++i) {
    for (PortableVector& sum : sums) sum = sum * kFactor + kSummand;
  }
  PortableVector total = {};
  for (const PortableVector& sum : sums) total += sum;
  return total[0];
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] float FmaAvx2(int64_t iterations, float start) {
  const __m256 factor = _mm256_set1_ps(kFactor);
  const __m256 summand = _mm256_set1_ps(kSummand);
  __m256 sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = _mm256_set1_ps(Start(start, i));
  for (int64_t i = 0; i < iterations; ++i) {
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, summand);
  }
  __m256 total = _mm256_setzero_ps();
  for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
  return _mm256_cvtss_f32(total);
}

[[gnu::target("avx512f")]] float FmaAvx512(int64_t iterations, float start) {
  const __m512 factor = _mm512_set1_ps(kFactor);
  const __m512 summand = _mm512_set1_ps(kSummand);
  __m512 sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = _mm512_set1_ps(Start(start, i));
  for (int64_t i = 0; i < iterations; ++i) {
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, summand);
  }
  __m512 total = _mm512_setzero_ps();
  for (const __m512& sum : sums) total = _mm512_add_ps(total, sum);
  return _mm512_cvtss_f32(total);
}

#endif

std::vector<FmaKernel> FindKernels() {
  std::vector<FmaKernel> kernels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    kernels.push_back({"avx512f", 2LL * kSums * 16, FmaAvx512});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels.push_back({"avx2", 2LL * kSums * 8, FmaAvx2});
  }
#endif
  kernels.push_back({"portable", 2LL * kSums * 4, FmaPortable});
  return kernels;
}

}  // namespace

std::span<const FmaKernel> FmaKernels() {
  static const std::vector<FmaKernel> kernels = FindKernels();
  return kernels;
}

void Fill(std::span<float> values) { std::fill(values.begin(), values.end(), 1.0F); }

// As integers, whose sum does not depend on the order.
uint32_t ReadAll(std::span<const float> values) {
  uint32_t sum = 0;
  for (const float value : values) sum += std::bit_cast<uint32_t>(value);
  return sum;
}

void Copy(std::span<const float> from, std::span<float> to) {
  std::memcpy(to.data(), from.data(), std::min(from.size_bytes(), to.size_bytes()));
}

void Triad(std::span<float> a, std::span<const float> b, std::span<const float> c) {
  const size_t size = std::min({a.size(), b.size(), c.size()});
  float* __restrict target = a.data();
  for (size_t i = 0; i < size; ++i) target[i] = b[i] + kFactor * c[i];
}

}  // namespace ridgeline::hardware
