// Any bytes: decoding them is refused in one line, or gives an image within the limits
// that can be scaled and comes back from its own PNG.
#include <string>
#include <string_view>

#include "model_io/images/decode.h"
#include "model_io/images/resize.h"
#include "model_io/images/testing/encode_png.h"
#include "tests/fuzz/fuzz.h"

namespace image_fuzz {

namespace images = ridgeline::images;
using images::Image;
using ridgeline::Result;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

// Few enough that an input takes milliseconds.
constexpr int64_t kPixelsMax = 100'000;

void CheckError(const std::string& message) {
  Require(message.starts_with("page: ") && message.find('\n') == std::string::npos);
}

void CheckImage(const Image& image) {
  Require(image.width > 0 && image.height > 0);
  Require(int64_t{image.width} * image.height <= kPixelsMax);
  Require(image.rgb.size() == image.row_bytes() * static_cast<size_t>(image.height));
  const Result<std::string> png = images::EncodePng(image);
  Require(png.ok() && images::DecodeImage(png.value(), "page").value() == image);
  const Image scaled = images::ResizeBicubic(image, 17, 40);
  Require(scaled.rgb.size() == size_t{3} * 17 * 40);
  const Result<Image> padded = images::PadResize(image, 24, {127, 127, 127});
  Require(!padded.ok() || padded.value().width == 24);
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view bytes = AsText(data, size);
  const Result<Image> image =
      images::DecodeImage(bytes, "page", {.pixels_max = kPixelsMax});
  if (image.ok()) {
    CheckImage(image.value());
  } else {
    CheckError(image.error().message());
  }
  return 0;
}

}  // namespace image_fuzz

RIDGELINE_FUZZ_TARGET(image_fuzz)
