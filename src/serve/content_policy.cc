#include "serve/content_policy.h"

#include <array>

#include "base/digest.h"

namespace ridgeline::serve {
namespace {

int DigitValue(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// Base64 of bytes given as pairs of hexadecimal digits: 3 digits are 12 bits, as are 2
// letters; the remainder is padded with zeros.
std::string Base64OfHex(std::string_view digits) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < digits.size(); i += 3) {
    std::array<int, 3> value = {};
    for (size_t k = 0; k < 3 && i + k < digits.size(); ++k) {
      value[k] = DigitValue(digits[i + k]);
    }
    const int bits = value[0] << 8 | value[1] << 4 | value[2];
    text += kLetters[static_cast<size_t>(bits >> 6)];
    if (i + 1 < digits.size()) text += kLetters[static_cast<size_t>(bits & 63)];
  }
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// 'sha256-...' of the text between the two tags.
std::string HashBetween(std::string_view page, std::string_view open,
                        std::string_view close) {
  const size_t begin = page.find(open);
  const size_t end = page.find(close, begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return "'none'";
  const size_t inside = begin + open.size();
  return "'sha256-" + Base64OfHex(Sha256(page.substr(inside, end - inside))) + "'";
}

}  // namespace

std::string PolicyOfPage(std::string_view page) {
  return "default-src 'none'; script-src " + HashBetween(page, "<script>", "</script>") +
         "; style-src " + HashBetween(page, "<style>", "</style>") +
         "; connect-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'self'";
}

}  // namespace ridgeline::serve
