// Weights for a model that was never trained: random, and the same on every machine, in
// every order and in pieces of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "model_io/checkpoints/dtype.h"

namespace ridgeline::checkpoints {

// What sets the values of one tensor: each seed and each name has its own.
uint64_t RandomKey(uint64_t seed, std::string_view tensor_name);

// Element `index` of the tensor, with mean 0 and the given standard deviation: nearly
// normal, the sum of four uniform numbers, hence never beyond 3.47 standard deviations.
float RandomWeight(uint64_t key, float standard_deviation, uint64_t index);

struct RandomFill {
  uint64_t key = 0;
  float standard_deviation = 1;
  DType dtype = DType::kF32;  // Or kBf16: the same numbers, rounded to nearest even.
};

// The bytes of the tensor from `offset_bytes` on; that and the size of `chunk` are
// multiples of the dtype's size. Another dtype is an error.
Status FillRandom(const RandomFill& fill, int64_t offset_bytes,
                  std::span<std::byte> chunk);

// One value everywhere, for norms and biases.
Status FillConstant(float value, DType dtype, std::span<std::byte> chunk);

}  // namespace ridgeline::checkpoints
