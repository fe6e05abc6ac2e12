#include "artifacts/md5.h"

#include <nettle/md5.h>

#include <array>
#include <cstdint>

namespace ridgeline::artifacts {

std::string Md5(std::string_view bytes) {
  md5_ctx context;
  md5_init(&context);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the library's bytes.
  md5_update(&context, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  std::array<uint8_t, MD5_DIGEST_SIZE> digest = {};
  md5_digest(&context, digest.size(), digest.data());
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace ridgeline::artifacts
