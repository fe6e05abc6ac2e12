#include "profiles/shared/decimal_time.h"

#include <algorithm>

#include "base/characters.h"

namespace ridgeline::profiles {
namespace {

constexpr int kDigitsOfThousand = 3;

DecimalTime Faulty(DecimalTime::Fault fault) { return {.fault = fault}; }

struct Decimal {
  bool is_negative = false;
  bool is_valid = false;
  bool is_fractional = false;
  std::string_view whole;
  std::string_view fraction;
  int64_t exponent = 0;

  int64_t digit_count() const {
    return static_cast<int64_t>(whole.size() + fraction.size());
  }
  int digit(int64_t index) const {
    const auto i = static_cast<size_t>(index);
    return (i < whole.size() ? whole[i] : fraction[i - whole.size()]) - '0';
  }
};

std::string_view TakeDigits(std::string_view& text) {
  size_t size = 0;
  while (size < text.size() && IsDigit(text[size])) ++size;
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

bool TakeOneOf(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// 0 if there are no digits; saturates.
int64_t SmallNumber(std::string_view digits) {
  constexpr int64_t kEnough = 1'000'000;
  int64_t number = 0;
  for (const char c : digits) number = std::min(number * 10 + (c - '0'), kEnough);
  return number;
}

Decimal Split(std::string_view text) {
  Decimal decimal;
  decimal.is_negative = TakeOneOf(text, "-");
  decimal.whole = TakeDigits(text);
  if (decimal.whole.empty()) return decimal;
  if (TakeOneOf(text, ".")) {
    decimal.is_fractional = true;
    decimal.fraction = TakeDigits(text);
    if (decimal.fraction.empty()) return decimal;
  }
  if (TakeOneOf(text, "eE")) {
    decimal.is_fractional = true;
    const bool is_small = !text.empty() && text[0] == '-';
    TakeOneOf(text, "+-");
    const std::string_view digits = TakeDigits(text);
    if (digits.empty()) return decimal;
    decimal.exponent = is_small ? -SmallNumber(digits) : SmallNumber(digits);
  }
  decimal.is_valid = text.empty();
  return decimal;
}

// Whether the digits from `first` on are more than half a unit, or exactly half and the
// unit is odd.
bool RoundsUp(const Decimal& decimal, int64_t first, bool is_odd) {
  if (first < 0 || first >= decimal.digit_count()) return false;
  if (decimal.digit(first) != 5) return decimal.digit(first) > 5;
  for (int64_t i = first + 1; i < decimal.digit_count(); ++i) {
    if (decimal.digit(i) != 0) return true;
  }
  return is_odd;
}

DecimalTime General(const Decimal& decimal) {
  const int64_t point = static_cast<int64_t>(decimal.whole.size()) + decimal.exponent +
                        kDigitsOfThousand;  // First digit below a nanosecond.
  int64_t ns = 0;
  for (int64_t i = 0; i < point; ++i) {
    const bool is_over = i >= decimal.digit_count();
    if (is_over && ns == 0) break;
    if (ns > kTimeLimitNs / 10) return Faulty(DecimalTime::Fault::kOutOfRange);
    ns = ns * 10 + (is_over ? 0 : decimal.digit(i));
  }
  if (RoundsUp(decimal, point, ns % 2 != 0)) ++ns;
  if (ns >= kTimeLimitNs) return Faulty(DecimalTime::Fault::kOutOfRange);
  return {.ns = decimal.is_negative ? -ns : ns, .is_fractional = decimal.is_fractional};
}

// Fast path for nearly all times: at most 16 digits, a point, at most three digits.
bool IsCommon(std::string_view text, DecimalTime& time) {
  constexpr size_t kLongest = 16;
  size_t i = 0;
  int64_t ns = 0;
  for (; i < text.size() && i <= kLongest && IsDigit(text[i]); ++i) {
    ns = ns * 10 + (text[i] - '0');
  }
  if (i == 0 || i > kLongest || ns >= kTimeLimitNs / 1000 - 1) return false;
  int decimals = 0;
  if (i < text.size() && text[i] == '.') {
    time.is_fractional = true;
    for (++i; i < text.size() && IsDigit(text[i]); ++i, ++decimals) {
      if (decimals == kDigitsOfThousand) return false;
      ns = ns * 10 + (text[i] - '0');
    }
    if (decimals == 0) return false;
  }
  if (i != text.size()) return false;
  for (; decimals < kDigitsOfThousand; ++decimals) ns *= 10;
  time.ns = ns;
  return true;
}

}  // namespace

DecimalTime MicrosecondsToNs(std::string_view text) {
  DecimalTime common;
  constexpr size_t kCommonSize = 20;  // "1695835572943613.125"
  if (text.size() <= kCommonSize && IsCommon(text, common)) return common;
  const Decimal decimal = Split(text);
  if (!decimal.is_valid) return Faulty(DecimalTime::Fault::kNotANumber);
  return General(decimal);
}

}  // namespace ridgeline::profiles
