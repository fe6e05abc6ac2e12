#include "profiles/shared/utf8.h"

#include <cstdint>

namespace ridgeline::profiles {
namespace {

// Bytes of the character at the beginning of `text`, which is not empty; 0: none.
size_t CharacterSize(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool is_overlong =
      (byte(0) == 0xE0 && second < 0xA0) || (byte(0) == 0xF0 && second < 0x90);
  const bool is_surrogate = byte(0) == 0xED && second >= 0xA0;
  const bool is_beyond = byte(0) == 0xF4 && second >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : size;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string ReplaceBrokenUtf8(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    clean += size == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return clean;
}

}  // namespace ridgeline::profiles
