// Counts with their nouns, for text that people read.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace ridgeline {

std::string PluralOf(std::string_view word);  // "pages", "launches", "activities"

// "1,234,567"
std::string GroupDigits(std::string digits);
template <std::integral T>
std::string WithCommas(T count) {
  return GroupDigits(std::to_string(count));
}

// The word as it is after a count of one, its plural after any other.
template <std::integral T>
std::string NounFor(T count, std::string_view word) {
  return count == 1 ? std::string(word) : PluralOf(word);
}

// "1 page", "3 pages", "18,850 launches"
template <std::integral T>
std::string Plural(T count, std::string_view word) {
  return WithCommas(count) + " " + NounFor(count, word);
}

// "1 of 1 stage", "1 of 3 stages"
template <std::integral Part, std::integral Whole>
std::string PartOf(Part part, Whole whole, std::string_view word) {
  return WithCommas(part) + " of " + Plural(whole, word);
}

}  // namespace ridgeline
