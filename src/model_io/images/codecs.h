// One decoder per format, for DecodeImage().
#pragma once

#include <string_view>

#include "base/result.h"
#include "model_io/images/decode.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// By its first bytes.
bool IsJpeg(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodeJpeg(std::string_view bytes, const DecodeLimits& limits);

// By its first bytes.
bool IsPng(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodePng(std::string_view bytes, const DecodeLimits& limits);

// By its first bytes.
bool IsWebp(std::string_view bytes);

// See DecodeImage in images/decode.h.
Result<Image> DecodeWebp(std::string_view bytes, const DecodeLimits& limits);

}  // namespace ridgeline::images
