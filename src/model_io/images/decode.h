// Decodes PNG, JPEG and WebP files, recognized by their first bytes.
//
// The pixels are bit for bit those of Pillow 9.4 after Image.open,
// ImageOps.exif_transpose and convert("RGB"): alpha is dropped, not composited; palettes,
// bilevel and grey are expanded; the image is rotated according to its EXIF data. Of 16
// bits per channel the upper 8 are kept, except that grey is clipped at 255 (see
// png_decode.cc).
//
// Stricter than Pillow: a PNG that ends before its IEND chunk or has a wrong checksum,
// and an animated WebP, are errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "model_io/images/image.h"

namespace ridgeline::images {

// Limits for untrusted files. A few bytes can claim an image of any size, so the size is
// checked before memory is allocated.
struct DecodeLimits {
  int64_t pixels_max = 178'956'970;  // Pillow's threshold for decompression bombs.
  int64_t file_bytes_max = int64_t{1} << 30;
};

// A black image of the size claimed by a file; fails if it is empty, exceeds the limit or
// the available memory.
Result<Image> AllocateImage(int64_t width, int64_t height, const DecodeLimits& limits);

// `origin` is the prefix of error messages: "pages/3.png: not a readable PNG: ...". For
// any input, the result is an image within the limits or an error.
Result<Image> DecodeImage(std::string_view bytes, std::string_view origin,
                          const DecodeLimits& limits = {});

Result<Image> LoadImage(const std::filesystem::path& path,
                        const DecodeLimits& limits = {});

}  // namespace ridgeline::images
