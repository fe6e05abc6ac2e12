// Numbers as written by ncu, which depends on the locale of the user: 40388, 40,388,
// 40.388, 40 388 and 40'388 are the same number, and 2.186 is ambiguous. The style of a
// file is the one consistent with all of its numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::profiles {

// How to read a number with exactly three digits after its only separator; all other
// numbers are unambiguous.
struct NumberStyle {
  enum class Mark : uint8_t { kDecimal, kGroup };

  Mark dot = Mark::kDecimal;
  Mark comma = Mark::kGroup;
  std::string example = "1234.5";  // For messages.
};

// The number style implied by the numbers of a file.
class NumberStyleEvidence {
 public:
  // Text that is not a number is ignored.
  void Add(std::string_view text, int64_t line);

  // Fails if the numbers contradict each other, or if one is ambiguous and no other
  // number resolves it.
  Result<NumberStyle> Decide() const;

 private:
  struct Seen {
    std::string text;
    int64_t line = 0;
  };
  using Sighting = std::optional<Seen>;  // First occurrence.

  void AddOneMark(std::string_view text, char mark, int64_t line);
  std::string Example() const;

  Sighting dot_decimal_;
  Sighting dot_decimal_of_six_;  // 80.302157: wide pages write these in all locales.
  Sighting dot_group_;
  Sighting dot_either_;
  Sighting comma_decimal_;
  Sighting comma_group_;
  Sighting comma_either_;
  Sighting space_group_;
  Sighting apostrophe_group_;
};

// The number times 10^exponent, rounded once. For "4976 (48; 48; 16)", an aggregate with
// its instances, the aggregate. nullopt for text that is not a number: n/a, nan, words.
std::optional<double> ParseNcuNumber(std::string_view text, const NumberStyle& style,
                                     int exponent);

}  // namespace ridgeline::profiles
