#pragma once

#include <string>
#include <string_view>

#include "models/deepseek_ocr/grounding.h"

namespace ridgeline::models::deepseek_ocr {

// Text of result.mmd, as saved by the authors of the model: a tag with the label `image`
// becomes a line "![](images/<k>.jpg)" for each of its boxes, other tags are removed. If
// any tag was removed, \coloneqq and \eqqcolon, which few renderers support, become :=
// and =: in the whole text; otherwise the text is not a grounded page, and they are kept.
//
// `grounded`: ParseGroundings of the same text.
std::string PageMarkdown(std::string_view text, const GroundedText& grounded);

}  // namespace ridgeline::models::deepseek_ocr
