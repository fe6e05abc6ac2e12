// Where on the page the model saw what it names. Its text holds tags such as
//   <|ref|>image<|/ref|><|det|>[[61, 112, 930, 480]]<|/det|>
// between the words that it read.
#pragma once

#include <string_view>

#include "model_io/images/grounding.h"

namespace ridgeline::models::deepseek_ocr {

using images::GroundedText;
using images::Grounding;
using images::ModelBox;

// Any text will do. Takes time and memory in proportion to its length.
GroundedText ParseGroundings(std::string_view text);

}  // namespace ridgeline::models::deepseek_ocr
