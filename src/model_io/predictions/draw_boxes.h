#pragma once

#include <span>

#include "base/result.h"
#include "model_io/images/image.h"
#include "model_io/predictions/page_boxes.h"

namespace ridgeline::predictions {

// The page with every box that has an area: an outline just inside of it, a fill through
// which the page is seen, and its label, all in the label's colour. Fills lie below
// outlines, outlines below labels. The same fonts and libraries give the same pixels.
//
// An error if a side is beyond the 32767 pixels that cairo draws on.
Result<images::Image> DrawBoxes(const images::Image& page,
                                std::span<const PageBox> boxes);

// In pixels, on a page of this size.
int OutlineWidth(int page_width, int page_height);

// How much of a fill's pixel is the label's colour.
inline constexpr double kFillOpacity = 0.2;

}  // namespace ridgeline::predictions
