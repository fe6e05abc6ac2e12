#include "base/utf8.h"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Lead {
  size_t length = 0;  // 0: not a lead byte.
  uint8_t bits = 0;   // Of the code point.
  // Range of the second byte: narrower than 80..BF to exclude overlong encodings,
  // surrogates and values above U+10FFFF.
  uint8_t second_min = 0x80;
  uint8_t second_max = 0xBF;
};

Lead LeadOf(uint8_t byte) {
  const auto low_bits = [byte](uint8_t mask) {
    return static_cast<uint8_t>(byte & mask);
  };
  if (byte < 0x80) return {.length = 1, .bits = byte};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {.length = 2, .bits = low_bits(0x1F)};
  if (byte < 0xF0) {
    return {.length = 3,
            .bits = low_bits(0x0F),
            .second_min = static_cast<uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            .second_max = static_cast<uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
  }
  if (byte > 0xF4) return {};
  return {.length = 4,
          .bits = low_bits(0x07),
          .second_min = static_cast<uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
          .second_max = static_cast<uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
}

}  // namespace

Utf8Step NextUtf8(std::string_view text) {
  if (text.empty()) return {};
  const Lead lead = LeadOf(static_cast<uint8_t>(text[0]));
  const Utf8Step broken{.length = 1, .code_point = kReplacement};
  if (lead.length == 0) return broken;
  char32_t code_point = lead.bits;
  for (size_t i = 1; i < lead.length; ++i) {
    const uint8_t byte = i < text.size() ? static_cast<uint8_t>(text[i]) : 0;
    const uint8_t min = i == 1 ? lead.second_min : 0x80;
    const uint8_t max = i == 1 ? lead.second_max : 0xBF;
    if (byte < min || byte > max) return {.length = i, .code_point = kReplacement};
    code_point = (code_point << 6) | (byte & 0x3FU);
  }
  return {.length = lead.length, .code_point = code_point, .is_valid = true};
}

Utf8Step LastUtf8(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    --begin;
    if (!IsInsideCharacter(text[begin])) break;
  }
  return NextUtf8(text.substr(begin));
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const auto other = std::find_if(
        text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
    text.remove_prefix(static_cast<size_t>(other - text.begin()));
    const Utf8Step step = NextUtf8(text);
    if (step.length > 0 && !step.is_valid) return false;
    text.remove_prefix(step.length);
  }
  return true;
}

std::string ToValidUtf8(std::string_view text) {
  if (IsValidUtf8(text)) return std::string(text);
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    if (step.is_valid) {
      valid.append(text.substr(0, step.length));
    } else {
      AppendUtf8(kReplacement, valid);
    }
    text.remove_prefix(step.length);
  }
  return valid;
}

std::string ReplaceBrokenUtf8(std::string_view text) {
  if (IsValidUtf8(text)) return std::string(text);
  std::string clean;
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    const size_t length = step.is_valid ? step.length : 1;
    if (step.is_valid) {
      clean.append(text.substr(0, length));
    } else {
      AppendUtf8(kReplacement, clean);
    }
    text.remove_prefix(length);
  }
  return clean;
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const auto append = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) return append(code_point);
  if (code_point < 0x800) {
    append(0xC0 | (code_point >> 6));
  } else if (code_point < 0x10000) {
    append(0xE0 | (code_point >> 12));
    append(0x80 | ((code_point >> 6) & 0x3F));
  } else {
    append(0xF0 | (code_point >> 18));
    append(0x80 | ((code_point >> 12) & 0x3F));
    append(0x80 | ((code_point >> 6) & 0x3F));
  }
  append(0x80 | (code_point & 0x3F));
}

bool IsWhiteSpace(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace ridgeline
