// Locations of objects on the page, from tags in the generated text such as
//   <|ref|>image<|/ref|><|det|>[[61, 112, 930, 480]]<|/det|>
#pragma once

#include <string_view>

#include "model_io/images/grounding.h"

namespace ridgeline::models::deepseek_ocr {

using images::GroundedText;
using images::Grounding;
using images::ModelBox;

// Accepts any text. Takes linear time and memory.
GroundedText ParseGroundings(std::string_view text);

}  // namespace ridgeline::models::deepseek_ocr
