#include <algorithm>
#include <bit>

#include "inference/kernels/kernels.h"

namespace ridgeline::inference::cpu {
namespace {

// bf16 is the upper half of f32.
float Widened(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }
float Widened(float value) { return value; }

// Four accumulators, so that additions do not wait for each other.
template <typename T>
void Gemv(const T* w, const float* x, float* y, int64_t rows, int64_t cols) {
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

void Widen(const uint16_t* w, float* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = Widened(w[i]);
}

void Mix(const float* m, const float* share, float* y, int64_t rows, int64_t cols) {
  std::fill_n(y, cols, 0.0F);
  for (int64_t row = 0; row < rows; ++row, m += cols) {
    for (int64_t c = 0; c < cols; ++c) y[c] += share[row] * m[c];
  }
}

}  // namespace

const Kernels kPortableKernels = {.name = "portable",
                                  .is_supported = [] { return true; },
                                  .gemv_bf16 = Gemv<uint16_t>,
                                  .gemv_f32 = Gemv<float>,
                                  .widen_bf16 = Widen,
                                  .mix_rows = Mix};

}  // namespace ridgeline::inference::cpu
