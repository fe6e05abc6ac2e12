#pragma once

#include <vector>

#include "model_io/checkpoints/checkpoint.h"
#include "models/deepseek_ocr/dimensions.h"

namespace ridgeline::models::deepseek_ocr {

// Every tensor of a checkpoint with these dimensions, by the vendor's names (and their
// spelling), in the order of the computation.
std::vector<checkpoints::ExpectedTensor> TensorList(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
