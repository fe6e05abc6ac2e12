// Finds where values begin and end in command lines, JSON, URLs and Hydra overrides.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/characters.h"

namespace ridgeline {

// A part of a text.
struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
};

constexpr bool IsNameCharacter(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
}
constexpr bool IsQuote(char c) { return c == '\'' || c == '"'; }

size_t SkipBlanks(std::string_view text, size_t at);
size_t EndOfWord(std::string_view text, size_t at);

// The value that begins at `begin`: its quoted text, or up to the end of the word.
TextSpan ValueAt(std::string_view text, size_t begin);

// `first` is the ValueAt() of the name that ends at `name_end`. Returns it extended by
// the rest of a list, dictionary or function, and of the choices of a sweep:
// name=a,'b',choice(c).
TextSpan WholeValue(std::string_view text, size_t name_end, const TextSpan& first);

// The choices of a sweep, "a" and "b" of "a,b"; a single value is one choice.
std::vector<std::string_view> ChoicesOf(std::string_view value);

}  // namespace ridgeline
