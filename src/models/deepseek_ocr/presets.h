#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/deepseek_ocr/dimensions.h"

namespace ridgeline::models::deepseek_ocr {

// Sizes of random checkpoints.
//   tiny   0.9 M parameters: reads a page in well under a second on any machine
//   small   60 M parameters: large enough for measurements
//   full   3.3 B parameters: the dimensions of the real model
std::optional<Dimensions> Preset(std::string_view name);

// A config.json with these dimensions, for ParseDimensions.
std::string ConfigJson(const Dimensions& dimensions);

}  // namespace ridgeline::models::deepseek_ocr
