// The kernels for any vector unit. Included where `Lanes` is defined, between the pragmas
// that enable that unit, so that its instructions do not leak into other files:
//
//   struct Lanes {
//     using Vector = ...;  static constexpr int64_t kCount = ...;
//     static Vector Zero(), Load(const float*), Load(const uint16_t*), Repeat(float),
//         MultiplyAdd(a, b, c), Add(a, b);
//     static void Store(float*, Vector);  static float Sum(Vector);
//   };
//
// No includes and no namespace: it is included as text by one file per unit.
#pragma once

// bf16 is the upper half of f32.
float Widened(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }
float Widened(float value) { return value; }

// Four accumulators hide the latency of the multiplications.
template <typename T>
void Gemv(const T* w, const float* x, float* y, int64_t rows, int64_t cols) {
  constexpr int64_t kSums = 4;
  for (int64_t row = 0; row < rows; ++row, w += cols) {
    Lanes::Vector sums[kSums];
    for (auto& sum : sums) sum = Lanes::Zero();
    int64_t c = 0;
    for (; c + kSums * Lanes::kCount <= cols; c += kSums * Lanes::kCount) {
#pragma GCC unroll 4
      for (int64_t i = 0; i < kSums; ++i) {
        const int64_t at = c + i * Lanes::kCount;
        sums[i] = Lanes::MultiplyAdd(Lanes::Load(w + at), Lanes::Load(x + at), sums[i]);
      }
    }
    for (; c + Lanes::kCount <= cols; c += Lanes::kCount) {
      sums[0] = Lanes::MultiplyAdd(Lanes::Load(w + c), Lanes::Load(x + c), sums[0]);
    }
    float sum = Lanes::Sum(
        Lanes::Add(Lanes::Add(sums[0], sums[1]), Lanes::Add(sums[2], sums[3])));
    for (; c < cols; ++c) sum += Widened(w[c]) * x[c];
    y[row] = sum;
  }
}

void Widen(const uint16_t* w, float* out, int64_t count) {
  int64_t i = 0;
  for (; i + Lanes::kCount <= count; i += Lanes::kCount) {
    Lanes::Store(out + i, Lanes::Load(w + i));
  }
  for (; i < count; ++i) out[i] = Widened(w[i]);
}

// As many columns at a time as fit into registers.
void Mix(const float* m, const float* share, float* y, int64_t rows, int64_t cols) {
  constexpr int64_t kBlock = 8;
  int64_t c = 0;
  for (; c + kBlock * Lanes::kCount <= cols; c += kBlock * Lanes::kCount) {
    Lanes::Vector sums[kBlock];
    for (auto& sum : sums) sum = Lanes::Zero();
    for (int64_t row = 0; row < rows; ++row) {
      const Lanes::Vector factor = Lanes::Repeat(share[row]);
      const float* const from = m + row * cols + c;
#pragma GCC unroll 8
      for (int64_t i = 0; i < kBlock; ++i) {
        sums[i] =
            Lanes::MultiplyAdd(factor, Lanes::Load(from + i * Lanes::kCount), sums[i]);
      }
    }
    for (int64_t i = 0; i < kBlock; ++i) Lanes::Store(y + c + i * Lanes::kCount, sums[i]);
  }
  for (; c < cols; ++c) {
    y[c] = 0;
    for (int64_t row = 0; row < rows; ++row) y[c] += share[row] * m[row * cols + c];
  }
}
