// Scales 8-bit RGB images bit for bit like Pillow 9.4.
#pragma once

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// Image.resize((width, height), BICUBIC): does not keep the aspect ratio; antialiases
// when shrinking. No side may be 0. Needs memory for the result and a few rows.
Image ResizeBicubic(const Image& image, int width, int height);

// ImageOps.pad(image, (side, side), color=colour): scales to fit, centered in a square.
// Fails if the image is so narrow that nothing would be left of it.
Result<Image> PadResize(const Image& image, int side, Colour colour);

}  // namespace ridgeline::images
