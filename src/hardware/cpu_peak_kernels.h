// The inner loops of cpu_peaks. Compiled with optimization in every build: the ceiling of
// a machine does not depend on our build type.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridgeline::hardware {

// Float multiply-adds on enough independent sums to keep the units busy.
struct FmaKernel {
  std::string_view instructions;
  int64_t flop_per_iteration = 0;
  // Sum i of twelve (from 0) starts as i * start. Returns the first element of their
  // total.
  float (*run)(int64_t iterations, float start) = nullptr;
};

// Those supported by this CPU, fastest first; never empty.
std::span<const FmaKernel> FmaKernels();

void Fill(std::span<float> values);
uint32_t ReadAll(std::span<const float> values);
void Copy(std::span<const float> from, std::span<float> to);
// a = b + x * c, of equal sizes.
void Triad(std::span<float> a, std::span<const float> b, std::span<const float> c);

}  // namespace ridgeline::hardware
