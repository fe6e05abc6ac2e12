#include <algorithm>
#include <optional>

#include "profiles/ncu_csv/row_builder.h"

namespace ridgeline::profiles {
namespace {

// Time units, as powers of ten of a second.
struct TimeWord {
  std::string_view word;
  int exponent;
};
constexpr TimeWord kTimes[] = {
    {"second", 0},   {"s", 0},   {"sec", 0},      {"msecond", -3}, {"ms", -3},
    {"usecond", -6}, {"us", -6}, {"nsecond", -9}, {"ns", -9},
};

struct Prefix {
  char letter;
  int exponent;
};
constexpr Prefix kPrefixes[] = {{'K', 3}, {'k', 3},  {'M', 6},
                                {'G', 9}, {'T', 12}, {'P', 15}};

// Units that take prefixes.
constexpr std::string_view kScaled[] = {"byte", "hz", "Hz"};

std::optional<int> TimeExponent(std::string_view word) {
  for (const TimeWord& time : kTimes) {
    if (time.word == word) return time.exponent;
  }
  return {};
}

NcuUnit Scaled(std::string_view word) {
  for (const std::string_view base : kScaled) {
    if (!word.ends_with(base)) continue;
    const std::string name = base == "Hz" ? "hz" : std::string(base);
    const std::string_view before = word.substr(0, word.size() - base.size());
    if (before.empty()) return {name, 0};
    for (const Prefix& prefix : kPrefixes) {
      if (before.size() == 1 && before[0] == prefix.letter)
        return {name, prefix.exponent};
    }
  }
  // ncu 2020 uses both.
  if (word == "sectors") return {"sector", 0};
  return {std::string(word), 0};
}

}  // namespace

NcuUnit ParseNcuUnit(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    if (const std::optional<int> time = TimeExponent(text)) return {"ns", *time + 9};
    return Scaled(text);
  }
  NcuUnit above = Scaled(text.substr(0, slash));
  const std::string_view below = text.substr(slash + 1);
  if (const std::optional<int> time = TimeExponent(below)) {
    above.exponent -= *time;
    above.base = above.base == "cycle" ? "hz" : above.base + "/s";
    return above;
  }
  const NcuUnit divisor = Scaled(below);
  return {above.base + "/" + divisor.base, above.exponent - divisor.exponent};
}

}  // namespace ridgeline::profiles
