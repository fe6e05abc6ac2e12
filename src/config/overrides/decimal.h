// The subset of Python's decimal.Decimal that float ranges need: exact conversion from
// numbers, sums rounded to 28 digits (half to even), exact comparison.
#pragma once

#include <optional>
#include <string>

#include "config/overrides/number.h"

namespace ridgeline::config {

class Decimal {
 public:
  // Exact: 0.1 becomes 0.1000000000000000055511151231257827...
  static Decimal FromNumber(const Number& number);

  // Empty where Python signals InvalidOperation: inf - inf.
  static std::optional<Decimal> Sum(const Decimal& a, const Decimal& b);

  // -1, 0 or 1; empty where Python signals InvalidOperation: nan.
  static std::optional<int> Compare(const Decimal& a, const Decimal& b);

  double ToDouble() const;
  std::string ToString() const;  // str(Decimal): "1.5", "-0", "1E-7", "Infinity", "NaN".

 private:
  enum class Kind { kFinite, kInfinite, kNan };

  static Decimal FromDouble(double value);
  static int CompareMagnitudes(const Decimal& a, const Decimal& b);
  void Round();
  bool IsZero() const { return kind_ == Kind::kFinite && digits_.empty(); }
  // The digits rescaled to `exponent`, which must be <= exponent_.
  std::string DigitsAt(int exponent) const;

  Kind kind_ = Kind::kFinite;
  bool negative_ = false;
  std::string digits_;  // No leading zeros; empty for zero.
  int exponent_ = 0;    // The value is digits * 10^exponent.
};

}  // namespace ridgeline::config
