// Scaling as Pillow 9.4 does it for 8 bit RGB, bit for bit.
#pragma once

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// Image.resize((width, height), BICUBIC): the aspect is not kept, what becomes smaller is
// smoothed. No side may be 0. Takes memory for the result and a few rows.
Image ResizeBicubic(const Image& image, int width, int height);

// ImageOps.pad(image, (side, side), color=colour): scaled so that it just fits, in the
// middle of a square. An error if it is so narrow that nothing of it would be left.
Result<Image> PadResize(const Image& image, int side, Colour colour);

}  // namespace ridgeline::images
