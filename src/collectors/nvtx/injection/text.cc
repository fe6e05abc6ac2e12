#include "collectors/nvtx/injection/text.h"

#include <array>
#include <cstdint>

namespace ridgeline::nvtx_injection {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

bool IsCharacter(uint32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

void AppendUtf8(std::string& text, uint32_t code) {
  const auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
  const auto tail = [&](int shift) { add(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0U | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    add(0xE0U | (code >> 12));
    tail(6);
    tail(0);
  } else {
    add(0xF0U | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Length in bytes of the valid UTF-8 character at the start of `text`; 0: invalid.
size_t CharacterSize(std::string_view text) {
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t size = byte(0) < 0x80   ? 1
                      : byte(0) < 0xC2 ? 0
                      : byte(0) < 0xE0 ? 2
                      : byte(0) < 0xF0 ? 3
                      : byte(0) < 0xF5 ? 4
                                       : 0;
  if (size < 2 || size > text.size()) return size > text.size() ? 0 : size;
  uint32_t code = byte(0) & (0x7FU >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  return IsCharacter(code) && code >= kLeast[size] ? size : 0;
}

}  // namespace

std::string Utf8(const wchar_t* text, size_t limit) {
  std::string utf8;
  for (size_t i = 0; i < limit && text[i] != 0; ++i) {
    const auto code = static_cast<uint32_t>(text[i]);
    AppendUtf8(utf8, IsCharacter(code) ? code : kReplacement);
  }
  return utf8;
}

void AppendQuoted(std::string& json, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  json += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text[0]);
    size_t size = CharacterSize(text);
    if (size == 0) {
      AppendUtf8(json, kReplacement);
      size = 1;
    } else if (c == '"' || c == '\\') {
      json += '\\';
      json += text[0];
    } else if (c < 0x20) {
      json += "\\u00";
      json += kDigits[c >> 4];
      json += kDigits[c & 0xFU];
    } else {
      json += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  json += '"';
}

}  // namespace ridgeline::nvtx_injection
