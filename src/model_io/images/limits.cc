#include <fmt/format.h>

#include <limits>
#include <new>

#include "model_io/images/decode.h"

namespace ridgeline::images {

Result<Image> AllocateImage(int64_t width, int64_t height, const DecodeLimits& limits) {
  if (width <= 0 || height <= 0) {
    return Error(ErrorCode::kParse, fmt::format("{}x{} pixels", width, height));
  }
  constexpr int64_t kSideMax = std::numeric_limits<int>::max() / 8;
  if (width > kSideMax || height > kSideMax || width > limits.pixels_max / height) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}x{} pixels; the limit is {} pixels", width, height,
                             limits.pixels_max));
  }
  Image image{.width = static_cast<int>(width), .height = static_cast<int>(height)};
  try {
    image.rgb.resize(image.row_bytes() * static_cast<size_t>(height));
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("out of memory for {}x{} pixels", width, height));
  }
  return image;
}

}  // namespace ridgeline::images
