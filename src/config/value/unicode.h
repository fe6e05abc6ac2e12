// Character properties from Python's Unicode tables (version 14, Python 3.11).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

struct Utf8Character {
  char32_t code = 0;
  size_t length = 1;  // Length in bytes.
  bool valid = true;  // False: a byte that is not UTF-8, in `code`.
};

// The character that starts at text[position]; position < text.size().
Utf8Character DecodeUtf8(std::string_view text, size_t position);

// str.isprintable() of one character: repr() does not escape it.
bool IsPrintable(char32_t code);

// str.isspace() of one character.
bool IsSpace(char32_t code);

// The value of a decimal digit of any script (int("١٢") is 12).
std::optional<int> DecimalDigit(char32_t code);

}  // namespace ridgeline::config
