#pragma once

#include <string_view>

#include "base/result.h"
#include "images/image.h"
#include "images/limits.h"

namespace ridgeline::images {

// Whether it begins as every JPEG does.
bool IsJpeg(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodeJpeg(std::string_view bytes, const DecodeLimits& limits);

}  // namespace ridgeline::images
