// Whether a checkpoint holds what a model needs, no more and no less.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/safetensors.h"

namespace ridgeline::checkpoints {

struct ExpectedTensor {
  std::string name;
  std::vector<int64_t> shape;
};

// One error for all that is missing, unexpected or of another shape: the counts, and the
// first 20 of each. `tensors` are sorted by name; no name is expected twice. Types of
// numbers are not compared, nor is what an index left out.
Status CheckInventory(std::span<const TensorView> tensors,
                      std::span<const ExpectedTensor> expected, std::string_view origin);
Status CheckInventory(const Checkpoint& checkpoint,
                      std::span<const ExpectedTensor> expected);

}  // namespace ridgeline::checkpoints
