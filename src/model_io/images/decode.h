// Decodes PNG, JPEG and WebP files, recognized by their first bytes.
//
// The pixels are those of Pillow 9.4 after Image.open, ImageOps.exif_transpose and
// convert("RGB"), bit for bit: alpha is left away, not composited; palettes, bilevel and
// grey are expanded; the picture is turned as its EXIF data says. Of 16 bits per channel
// the higher 8 are kept, except that grey is clipped at 255 (see png_decode.cc).
//
// We are stricter than Pillow about a PNG that ends before its IEND chunk or has a wrong
// checksum, and about animated WebP: all are errors here.
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
  int64_t pixels_max = 178'956'970;  // Where Pillow speaks of a decompression bomb.
  int64_t file_bytes_max = int64_t{1} << 30;
};

// A black image of the size that a file claims; an error if it is empty, beyond the
// limit or more than there is memory for.
Result<Image> AllocateImage(int64_t width, int64_t height, const DecodeLimits& limits);

// `origin` begins the error's message: "pages/3.png: not a readable PNG: ...". Whatever
// the bytes are, the answer is an image within the limits or an error.
Result<Image> DecodeImage(std::string_view bytes, std::string_view origin,
                          const DecodeLimits& limits = {});

Result<Image> LoadImage(const std::filesystem::path& path,
                        const DecodeLimits& limits = {});

}  // namespace ridgeline::images
