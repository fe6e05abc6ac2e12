#pragma once

#include <vector>

#include "model_io/checkpoints/checkpoint.h"
#include "models/deepseek_ocr/dimensions.h"

namespace ridgeline::models::deepseek_ocr {

// Every tensor of a checkpoint with these dimensions, with the vendor's names (and
// spelling), in order of computation.
std::vector<checkpoints::ExpectedTensor> TensorList(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
