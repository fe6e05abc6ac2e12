// Pictures as files. The same image gives the same bytes, with the same version of the
// libraries: nothing about the time or the machine is written.
#pragma once

#include <string>

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// Baseline, chroma halved in both directions, as Pillow saves it. Quality is 1..100.
// An error if a side is 0 or beyond the 65500 pixels that libjpeg writes.
Result<std::string> EncodeJpeg(const Image& image, int quality);

}  // namespace ridgeline::images
