#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace ridgeline {
namespace {

bool IsControl(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
}

// Inlined into the search: most of a large report is such text.
constexpr auto kIsPlain = [](char c) {
  return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
};

size_t LengthByFirstByte(unsigned char first) {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (true) {
    const auto* const plain = std::find_if_not(text.begin(), text.end(), kIsPlain);
    shown.append(text.begin(), plain);
    text.remove_prefix(static_cast<size_t>(plain - text.begin()));
    if (text.empty()) return shown;
    const Utf8Step step = NextUtf8(text);
    const std::string_view bytes = text.substr(0, step.length);
    if (!step.is_valid) {
      for (const char byte : bytes) {
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else if (IsControl(step.code_point)) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned>(step.code_point));
    } else {
      shown += bytes;
    }
    text.remove_prefix(step.length);
  }
}

size_t UnfinishedUtf8(std::string_view text) {
  constexpr size_t kLongest = 3;  // A character without its last byte.
  for (size_t length = 1; length <= std::min(kLongest, text.size()); ++length) {
    const char byte = text[text.size() - length];
    if (IsInsideCharacter(byte)) continue;
    return LengthByFirstByte(static_cast<unsigned char>(byte)) > length ? length : 0;
  }
  return 0;
}

}  // namespace ridgeline
