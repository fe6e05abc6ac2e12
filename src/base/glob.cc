#include "base/glob.h"

#include <optional>
#include <tuple>
#include <utility>

#include "base/utf8.h"

namespace ridgeline {
namespace {

// The length in bytes of the first character of a non-empty text. Each byte of invalid
// UTF-8 is one character, so that every name can be matched.
size_t CharacterBytes(std::string_view text) {
  const Utf8Step step = NextUtf8(text);
  return step.is_valid ? step.length : 1;
}

std::string_view TakeCharacter(std::string_view& text) {
  const std::string_view character = text.substr(0, CharacterBytes(text));
  text.remove_prefix(character.size());
  return character;
}

// The position of the ']' that ends the set at pattern[0], a '['; empty if there is none.
// The first character of a set does not end it: []], [!]].
std::optional<size_t> EndOfSet(std::string_view pattern) {
  const size_t first = pattern.starts_with("[!") ? 2 : 1;
  const size_t end = pattern.find(']', first + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return end;
}

// `set` is the text between the brackets. UTF-8 sorts like its bytes.
bool IsInSet(std::string_view set, std::string_view character) {
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    const std::string_view low = TakeCharacter(set);
    std::string_view high = low;
    if (set.size() > 1 && set.starts_with('-')) {
      set.remove_prefix(1);
      high = TakeCharacter(set);
    }
    found = found || (low <= character && character <= high);
  }
  return found != negated;
}

// Matches the first character of a non-empty text against the first element of a pattern,
// which is not '*', and removes both.
bool TakeOne(std::string_view& pattern, std::string_view& text) {
  if (pattern.empty()) return false;
  const std::string_view character = TakeCharacter(text);
  if (pattern[0] == '?') {
    pattern.remove_prefix(1);
    return true;
  }
  if (pattern[0] == '[') {
    if (const std::optional<size_t> end = EndOfSet(pattern)) {
      const std::string_view set = pattern.substr(1, *end - 1);
      pattern.remove_prefix(*end + 1);
      return IsInSet(set, character);
    }
  }
  return TakeCharacter(pattern) == character;
}

}  // namespace

bool GlobMatches(std::string_view text, std::string_view pattern) {
  // After a mismatch only the last '*' needs to take one more character: it can take
  // anything an earlier one could. So the run time is at most the product of the lengths.
  std::optional<std::pair<std::string_view, std::string_view>> last_star;
  while (!text.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      last_star = {pattern, text};
      continue;
    }
    if (TakeOne(pattern, text)) continue;
    if (!last_star) return false;
    TakeCharacter(last_star->second);
    std::tie(pattern, text) = *last_star;
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

}  // namespace ridgeline
