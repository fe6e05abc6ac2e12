#pragma once

#include <string_view>

#include "base/result.h"
#include "images/image.h"
#include "images/limits.h"

namespace ridgeline::images {

// Whether it begins as every WebP does.
bool IsWebp(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodeWebp(std::string_view bytes, const DecodeLimits& limits);

}  // namespace ridgeline::images
