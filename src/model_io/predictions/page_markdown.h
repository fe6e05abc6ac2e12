#pragma once

#include <string>
#include <string_view>

#include "model_io/predictions/grounding.h"

namespace ridgeline::predictions {

// The label of what is cut out of the page as a picture of its own.
inline constexpr std::string_view kImageLabel = "image";

// "images/3.jpg": where the crop of the page's image box `number` (from 0, in the order
// of the text) lies, seen from the page's folder.
std::string CropPath(size_t number);

// The text of result.mmd, as the model's authors save it: a tag with the label `image`
// becomes a line "![](images/<k>.jpg)" for each of its boxes, other tags go away. If any
// of those was there, \coloneqq and \eqqcolon, which few renderers know, become := and
// =: in the whole text; without such a tag the text is no grounded page and stays.
//
// `grounded` is what ParseGroundings made of the same text.
std::string PageMarkdown(std::string_view text, const GroundedText& grounded);

}  // namespace ridgeline::predictions
