#pragma once

#include <cstdint>

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// What a file that we did not write may make us do. A few bytes can claim a picture
// of any size, so its size is looked at before memory is taken for it.
struct DecodeLimits {
  int64_t pixels_max = 178'956'970;  // Where Pillow speaks of a decompression bomb.
  int64_t file_bytes_max = int64_t{1} << 30;
};

// A black image of the size that a file claims; an error if it is empty, beyond the
// limit or more than there is memory for.
Result<Image> AllocateImage(int64_t width, int64_t height, const DecodeLimits& limits);

}  // namespace ridgeline::images
