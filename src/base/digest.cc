#include "base/digest.h"

#include <nettle/md5.h>

#include <array>
#include <cstdint>
#include <span>

namespace ridgeline {
namespace {

const uint8_t* Data(std::string_view bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the library's bytes.
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

std::string HexOf(std::span<const uint8_t> digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

std::string Md5(std::string_view bytes) {
  md5_ctx context;
  md5_init(&context);
  md5_update(&context, bytes.size(), Data(bytes));
  std::array<uint8_t, MD5_DIGEST_SIZE> digest = {};
  md5_digest(&context, digest.size(), digest.data());
  return HexOf(digest);
}

std::string Sha256(std::string_view bytes) {
  Sha256Sum sum;
  sum.Add(bytes);
  return sum.ToHex();
}

void Sha256Sum::Add(std::string_view bytes) {
  sha256_update(&context_, bytes.size(), Data(bytes));
}

std::string Sha256Sum::ToHex() {
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest = {};
  sha256_digest(&context_, digest.size(), digest.data());
  return HexOf(digest);
}

}  // namespace ridgeline
