// Lossless image files for tests.
#pragma once

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {
namespace png_output {

// libpng leaves its functions by longjmp on errors, so everything with a destructor is
// here and not on their stack.
struct PngOutput {
  explicit PngOutput(const Image& picture) : image(picture) {}
  PngOutput(const PngOutput&) = delete;
  PngOutput& operator=(const PngOutput&) = delete;
  ~PngOutput() { png_destroy_write_struct(&png, &info); }

  const Image& image;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::array<char, 200> problem = {};
  std::string bytes;
};

inline void OnEncodeError(png_structp png, png_const_charp message) {
  auto& output = *static_cast<PngOutput*>(png_get_error_ptr(png));
  const std::string_view text(message);
  const size_t length = std::min(text.size(), output.problem.size() - 1);
  std::copy_n(text.begin(), length, output.problem.begin());
  png_longjmp(png, 1);
}

inline void OnEncodeWarning(png_structp /*png*/, png_const_charp /*message*/) {}

inline void OnWrite(png_structp png, png_bytep from, size_t count) {
  auto& output = *static_cast<PngOutput*>(png_get_io_ptr(png));
  output.bytes.append(from, from + count);
}

inline void OnFlush(png_structp /*png*/) {}

inline void WritePng(PngOutput& output) {
  png_set_write_fn(output.png, &output, OnWrite, OnFlush);
  png_set_IHDR(output.png, output.info, static_cast<png_uint_32>(output.image.width),
               static_cast<png_uint_32>(output.image.height), 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(output.png, output.info);
  for (int y = 0; y < output.image.height; ++y) {
    png_write_row(output.png, output.image.row(y));
  }
  png_write_end(output.png, output.info);
}

inline bool Guarded(PngOutput& output, void (*step)(PngOutput&)) {
  if (setjmp(png_jmpbuf(output.png)) != 0) return false;  // NOLINT(cert-err52-cpp)
  step(output);
  return true;
}

}  // namespace png_output

// 8-bit RGB, not interlaced. Fails if a side is 0 or exceeds libpng's limit of a million
// pixels.
inline Result<std::string> EncodePng(const Image& image) {
  png_output::PngOutput output(image);
  output.png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &output, png_output::OnEncodeError,
                              png_output::OnEncodeWarning);
  if (output.png != nullptr) output.info = png_create_info_struct(output.png);
  if (output.info == nullptr) {
    return Error(ErrorCode::kUnsupported, "cannot initialize libpng");
  }
  if (!png_output::Guarded(output, png_output::WritePng)) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}x{} pixels as PNG: {}", image.width, image.height,
                             output.problem.data()));
  }
  return std::move(output.bytes);
}

}  // namespace ridgeline::images
