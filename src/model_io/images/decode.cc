#include "model_io/images/decode.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "model_io/images/codecs.h"
#include "os/files.h"

namespace ridgeline::images {
namespace {

Result<Image> DecodeByFormat(std::string_view bytes, const DecodeLimits& limits) {
  if (IsPng(bytes)) return DecodePng(bytes, limits);
  if (IsJpeg(bytes)) return DecodeJpeg(bytes, limits);
  if (IsWebp(bytes)) return DecodeWebp(bytes, limits);
  if (bytes.empty()) return Error(ErrorCode::kParse, "the file is empty");
  return Error(ErrorCode::kUnsupported, "not a PNG, JPEG or WebP file");
}

}  // namespace

Result<Image> DecodeImage(std::string_view bytes, std::string_view origin,
                          const DecodeLimits& limits) {
  Result<Image> image = DecodeByFormat(bytes, limits);
  if (!image.ok()) return std::move(image).error().While(origin);
  return image;
}

Result<Image> LoadImage(const std::filesystem::path& path, const DecodeLimits& limits) {
  RIDGELINE_TRY(const int64_t size, os::FileSize(path));
  if (!os::IsRegularFile(path)) {
    return Error(ErrorCode::kUnsupported, path.string() + ": not a regular file");
  }
  if (size > limits.file_bytes_max) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}: {} bytes; the limit is {} bytes", path.string(), size,
                             limits.file_bytes_max));
  }
  RIDGELINE_TRY(const std::string bytes, os::ReadFile(path));
  return DecodeImage(bytes, path.string(), limits);
}

}  // namespace ridgeline::images
