#include <fmt/format.h>
#include <webp/decode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "model_io/images/codecs.h"
#include "model_io/images/orientation.h"

namespace ridgeline::images {
namespace {

constexpr size_t kRiffHeadBytes = 12;   // "RIFF", size, "WEBP".
constexpr size_t kChunkHeadBytes = 8;   // Name and size.
constexpr uint8_t kHasExif = 1U << 3U;  // In the flags of the chunk "VP8X".

const uint8_t* Bytes(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libwebp's bytes.
  return reinterpret_cast<const uint8_t*>(text.data());
}

uint64_t LittleEndian32(const uint8_t* bytes) {
  uint64_t number = 0;
  for (size_t i = 4; i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

// RIFF chunks follow each other, each padded to an even size. EXIF data counts only if
// announced by the first chunk, "VP8X".
int OrientationOf(std::string_view bytes) {
  bytes.remove_prefix(kRiffHeadBytes);
  bool announced = false;
  while (bytes.size() > kChunkHeadBytes) {
    const std::string_view name = bytes.substr(0, 4);
    const uint64_t size = LittleEndian32(Bytes(bytes) + 4);
    bytes.remove_prefix(kChunkHeadBytes);
    if (size > bytes.size()) break;
    if (name == "VP8X" && size > 0) announced = (Bytes(bytes)[0] & kHasExif) != 0;
    if (name == "EXIF" && announced) {
      return OrientationOfExif(bytes.substr(0, size)).value_or(1);
    }
    bytes.remove_prefix(std::min<uint64_t>(size + size % 2, bytes.size()));
  }
  return 1;
}

Error Broken(VP8StatusCode status) {
  const bool truncated =
      status == VP8_STATUS_NOT_ENOUGH_DATA || status == VP8_STATUS_SUSPENDED;
  if (status == VP8_STATUS_OUT_OF_MEMORY) {
    return {ErrorCode::kUnsupported, "out of memory"};
  }
  return {ErrorCode::kParse,
          fmt::format("not a readable WebP: {}",
                      truncated ? "the file is truncated" : "corrupt data")};
}

}  // namespace

bool IsWebp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.size() >= kRiffHeadBytes &&
         bytes.substr(8, 4) == "WEBP";
}

Result<Image> DecodeWebp(std::string_view bytes, const DecodeLimits& limits) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) {
    return Error(ErrorCode::kUnsupported, "libwebp is too old");
  }
  const VP8StatusCode head = WebPGetFeatures(Bytes(bytes), bytes.size(), &config.input);
  if (head != VP8_STATUS_OK) return Broken(head);
  if (config.input.has_animation != 0) {
    return Error(ErrorCode::kUnsupported,
                 "animated WebP is not supported; save a single frame");
  }
  RIDGELINE_TRY(Image image,
                AllocateImage(config.input.width, config.input.height, limits));
  config.output.colorspace = MODE_RGB;  // Drops alpha instead of compositing.
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = image.rgb.data();
  config.output.u.RGBA.stride = static_cast<int>(image.row_bytes());
  config.output.u.RGBA.size = image.rgb.size();
  const VP8StatusCode body = WebPDecode(Bytes(bytes), bytes.size(), &config);
  if (body != VP8_STATUS_OK) return Broken(body);
  return Upright(std::move(image), OrientationOf(bytes));
}

}  // namespace ridgeline::images
