#include "config/overrides/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace ridgeline::config {
namespace {

constexpr size_t kPrecision = 28;  // Python's default context.

void StripLeadingZeros(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

// Both are decimal digit strings of any length, most significant digit first.
void PadToSameLength(std::string& a, std::string& b) {
  if (a.size() < b.size()) a.insert(0, b.size() - a.size(), '0');
  if (b.size() < a.size()) b.insert(0, a.size() - b.size(), '0');
}

std::string AddDigits(std::string a, std::string b) {
  PadToSameLength(a, b);
  int carry = 0;
  for (size_t i = a.size(); i-- > 0;) {
    const int sum = (a[i] - '0') + (b[i] - '0') + carry;
    a[i] = static_cast<char>('0' + sum % 10);
    carry = sum / 10;
  }
  if (carry != 0) a.insert(0, 1, '1');
  return a;
}

// a - b for a >= b.
std::string SubtractDigits(std::string a, std::string b) {
  PadToSameLength(a, b);
  int borrow = 0;
  for (size_t i = a.size(); i-- > 0;) {
    int difference = a[i] - b[i] - borrow;
    borrow = difference < 0 ? 1 : 0;
    if (borrow != 0) difference += 10;
    a[i] = static_cast<char>('0' + difference);
  }
  StripLeadingZeros(a);
  return a;
}

int CompareDigits(std::string a, std::string b) {
  PadToSameLength(a, b);
  const int order = a.compare(b);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

}  // namespace

Decimal Decimal::FromNumber(const Number& number) {
  if (const double* value = std::get_if<double>(&number)) return FromDouble(*value);
  const Integer whole = ToInteger(number);
  Decimal decimal;
  decimal.negative_ = whole.IsNegative();
  if (!whole.IsZero()) decimal.digits_ = (decimal.negative_ ? -whole : whole).ToString();
  return decimal;
}

Decimal Decimal::FromDouble(double value) {
  Decimal decimal;
  decimal.negative_ = std::signbit(value);
  if (std::isnan(value)) {
    decimal.kind_ = Kind::kNan;
    decimal.negative_ = false;
    return decimal;
  }
  if (std::isinf(value)) {
    decimal.kind_ = Kind::kInfinite;
    return decimal;
  }
  // Every double is an integer multiple of 2^-1074, so 1074 decimal places are exact.
  constexpr int kPlaces = 1074;
  char text[kPlaces + 320];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), std::fabs(value),
                                          std::chars_format::fixed, kPlaces);
  std::string digits(text, end);
  const size_t point = digits.find('.');
  digits.erase(digits.find_last_not_of('0') + 1);
  decimal.exponent_ = -static_cast<int>(digits.size() - point - 1);
  digits.erase(point, 1);
  StripLeadingZeros(digits);
  decimal.digits_ = std::move(digits);
  return decimal;
}

std::string Decimal::DigitsAt(int exponent) const {
  if (digits_.empty()) return {};
  return digits_ + std::string(static_cast<size_t>(exponent_ - exponent), '0');
}

void Decimal::Round() {
  if (digits_.size() <= kPrecision) return;
  const std::string dropped = digits_.substr(kPrecision);
  digits_.resize(kPrecision);
  exponent_ += static_cast<int>(dropped.size());
  const bool odd = (digits_.back() - '0') % 2 != 0;
  const bool beyond_half = dropped.find_first_not_of('0', 1) != std::string::npos;
  const bool up = dropped[0] > '5' || (dropped[0] == '5' && (beyond_half || odd));
  if (!up) return;
  digits_ = AddDigits(std::move(digits_), "1");
  if (digits_.size() > kPrecision) {
    digits_.pop_back();
    ++exponent_;
  }
}

std::optional<Decimal> Decimal::Sum(const Decimal& a, const Decimal& b) {
  if (a.kind_ == Kind::kNan) return a;
  if (b.kind_ == Kind::kNan) return b;
  if (a.kind_ == Kind::kInfinite) {
    if (b.kind_ == Kind::kInfinite && a.negative_ != b.negative_) return std::nullopt;
    return a;
  }
  if (b.kind_ == Kind::kInfinite) return b;
  Decimal sum;
  sum.exponent_ = std::min(a.exponent_, b.exponent_);
  if (a.negative_ == b.negative_) {
    sum.negative_ = a.negative_;
    sum.digits_ = AddDigits(a.DigitsAt(sum.exponent_), b.DigitsAt(sum.exponent_));
  } else {
    const bool a_larger = CompareMagnitudes(a, b) >= 0;
    const Decimal& larger = a_larger ? a : b;
    const Decimal& smaller = a_larger ? b : a;
    sum.digits_ =
        SubtractDigits(larger.DigitsAt(sum.exponent_), smaller.DigitsAt(sum.exponent_));
    sum.negative_ = larger.negative_ && !sum.digits_.empty();
  }
  sum.Round();
  return sum;
}

int Decimal::CompareMagnitudes(const Decimal& a, const Decimal& b) {
  const int exponent = std::min(a.exponent_, b.exponent_);
  return CompareDigits(a.DigitsAt(exponent), b.DigitsAt(exponent));
}

std::optional<int> Decimal::Compare(const Decimal& a, const Decimal& b) {
  if (a.kind_ == Kind::kNan || b.kind_ == Kind::kNan) return std::nullopt;
  if (a.IsZero() && b.IsZero()) return 0;
  const int a_sign = a.IsZero() ? 0 : (a.negative_ ? -1 : 1);
  const int b_sign = b.IsZero() ? 0 : (b.negative_ ? -1 : 1);
  if (a_sign != b_sign) return a_sign < b_sign ? -1 : 1;
  const bool a_infinite = a.kind_ == Kind::kInfinite;
  const bool b_infinite = b.kind_ == Kind::kInfinite;
  if (a_infinite && b_infinite) return 0;
  if (a_infinite) return a_sign;
  if (b_infinite) return -a_sign;
  return a_sign * CompareMagnitudes(a, b);
}

double Decimal::ToDouble() const {
  const double sign = negative_ ? -1.0 : 1.0;
  if (kind_ == Kind::kNan) return std::numeric_limits<double>::quiet_NaN();
  if (kind_ == Kind::kInfinite) return sign * std::numeric_limits<double>::infinity();
  if (digits_.empty()) return sign * 0.0;
  const std::string text = digits_ + "e" + std::to_string(exponent_);
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc::result_out_of_range) return sign * value;
  const bool large = static_cast<int>(digits_.size()) + exponent_ > 0;
  return sign * (large ? std::numeric_limits<double>::infinity() : 0.0);
}

std::string Decimal::ToString() const {
  const std::string sign = negative_ ? "-" : "";
  if (kind_ == Kind::kNan) return "NaN";
  if (kind_ == Kind::kInfinite) return sign + "Infinity";
  std::string digits = digits_.empty() ? "0" : digits_;
  const int length = static_cast<int>(digits.size());
  const int adjusted = exponent_ + length - 1;
  if (exponent_ <= 0 && adjusted >= -6) {
    if (exponent_ == 0) return sign + digits;
    const size_t places = static_cast<size_t>(-exponent_);
    if (digits.size() <= places) digits.insert(0, places - digits.size() + 1, '0');
    digits.insert(digits.size() - places, 1, '.');
    return sign + digits;
  }
  if (length > 1) digits.insert(1, 1, '.');
  return sign + digits + "E" + (adjusted < 0 ? "" : "+") + std::to_string(adjusted);
}

}  // namespace ridgeline::config
