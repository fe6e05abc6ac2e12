// Encodes images as files. The same image gives the same bytes with the same library
// versions: neither the time nor the machine is recorded.
#pragma once

#include <string>

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// Baseline, 4:2:0 chroma subsampling, as saved by Pillow. Quality is 1..100. Fails if a
// side is 0 or exceeds libjpeg's limit of 65500 pixels.
Result<std::string> EncodeJpeg(const Image& image, int quality);

}  // namespace ridgeline::images
