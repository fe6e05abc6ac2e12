// Weights for an untrained model: random, but the same on every machine, in any order and
// for any chunk size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "model_io/checkpoints/dtype.h"

namespace ridgeline::checkpoints {

// Determines the values of one tensor; unique for each seed and name.
uint64_t RandomKey(uint64_t seed, std::string_view tensor_name);

// Element `index` of the tensor, with mean 0 and the given standard deviation: roughly
// normal, the sum of four uniform numbers, so never beyond 3.47 standard deviations.
float RandomWeight(uint64_t key, float standard_deviation, uint64_t index);

struct RandomFill {
  uint64_t key = 0;
  float standard_deviation = 1;
  DType dtype = DType::kF32;  // Or kBf16: the same values, rounded to nearest even.
};

// Fills `chunk` with the bytes of the tensor from `offset_bytes` on; both must be
// multiples of the dtype's size. Fails for other dtypes.
Status FillRandom(const RandomFill& fill, int64_t offset_bytes,
                  std::span<std::byte> chunk);

// Fills with one value, for norms and biases.
Status FillConstant(float value, DType dtype, std::span<std::byte> chunk);

}  // namespace ridgeline::checkpoints
