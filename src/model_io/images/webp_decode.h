#pragma once

#include <string_view>

#include "base/result.h"
#include "model_io/images/image.h"
#include "model_io/images/limits.h"

namespace ridgeline::images {

// Whether it begins as every WebP does.
bool IsWebp(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodeWebp(std::string_view bytes, const DecodeLimits& limits);

}  // namespace ridgeline::images
