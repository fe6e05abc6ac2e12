#include "config/value/base64.h"

#include <cstddef>
#include <cstdint>

namespace ridgeline::config {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// 57 bytes make a line of 76 characters.
constexpr size_t kBytesPerLine = 57;

std::optional<uint32_t> SixBits(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0' + 52);
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

// Encodes one to three bytes as four characters.
void AppendQuad(std::string& text, std::string_view bytes) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t byte = i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
    bits = (bits << 8) | byte;
  }
  for (size_t i = 0; i < 4; ++i) {
    const char c = kAlphabet[(bits >> (18 - 6 * i)) & 0x3F];
    text += i <= bytes.size() ? c : '=';
  }
}

}  // namespace

std::optional<std::string> Base64Decode(std::string_view text) {
  std::string data;
  uint32_t bits = 0;
  int in_quad = 0;
  int pads = 0;
  for (const char c : text) {
    if (c == '=') {
      if (in_quad >= 2 && in_quad + ++pads >= 4) return data;
      continue;
    }
    const std::optional<uint32_t> six = SixBits(c);
    if (!six) continue;
    pads = 0;
    bits = ((bits << 6) | *six) & 0xFFFFFF;
    in_quad = (in_quad + 1) % 4;
    // The second character completes the first byte, the third the second, ...
    if (in_quad != 1) {
      const int unused = in_quad == 0 ? 0 : 8 - 2 * in_quad;
      data += static_cast<char>((bits >> unused) & 0xFF);
    }
  }
  if (in_quad != 0) return std::nullopt;
  return data;
}

std::string Base64EncodeLines(std::string_view data) {
  std::string text;
  for (size_t start = 0; start < data.size(); start += kBytesPerLine) {
    const std::string_view line = data.substr(start, kBytesPerLine);
    for (size_t i = 0; i < line.size(); i += 3) AppendQuad(text, line.substr(i, 3));
    text += '\n';
  }
  return text;
}

}  // namespace ridgeline::config
