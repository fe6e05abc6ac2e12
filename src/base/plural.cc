#include "base/plural.h"

namespace ridgeline {
namespace {

constexpr std::string_view kVowels = "aeiou";

bool HasHissingEnd(std::string_view word) {
  return word.ends_with("s") || word.ends_with("x") || word.ends_with("ch") ||
         word.ends_with("sh");
}

bool EndsInConsonantAndY(std::string_view word) {
  return word.size() > 1 && word.back() == 'y' &&
         kVowels.find(word[word.size() - 2]) == kVowels.npos;
}

}  // namespace

std::string GroupDigits(std::string digits) {
  constexpr size_t kGroup = 3;
  const size_t first = digits.starts_with('-') ? 1 : 0;
  for (size_t end = digits.size(); end > first + kGroup; end -= kGroup) {
    digits.insert(end - kGroup, ",");
  }
  return digits;
}

std::string PluralOf(std::string_view word) {
  if (HasHissingEnd(word)) return std::string(word) + "es";
  if (EndsInConsonantAndY(word)) {
    return std::string(word.substr(0, word.size() - 1)) + "ies";
  }
  return std::string(word) + "s";
}

}  // namespace ridgeline
