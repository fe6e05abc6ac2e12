#pragma once

#include <string>
#include <string_view>

#include "models/deepseek_ocr/grounding.h"

namespace ridgeline::models::deepseek_ocr {

// The text of result.mmd, as the model's authors save it: a tag with the label `image`
// becomes a line "![](images/<k>.jpg)" for each of its boxes, other tags go away. If any
// of those was there, \coloneqq and \eqqcolon, which few renderers know, become := and
// =: in the whole text; without such a tag the text is not a grounded page and stays
// unchanged.
//
// `grounded` is what ParseGroundings made of the same text.
std::string PageMarkdown(std::string_view text, const GroundedText& grounded);

}  // namespace ridgeline::models::deepseek_ocr
