#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// An arbitrary-precision integer, as in YAML and the override grammar. Nearly all fit in
// int64; the others are stored as canonical decimal text.
class Integer {
 public:
  Integer(int64_t value = 0) : small_(value) {}  // NOLINT(google-explicit-constructor)

  // Digits in `base` (2..36) with an optional sign; no prefix, no underscores. Empty if
  // the text is not such a number.
  static std::optional<Integer> Parse(std::string_view digits, int base = 10);

  // The integer part of a finite double, truncated as Python's int(x) does.
  static Integer FromDouble(double value);

  bool fits_int64() const { return big_.empty(); }
  int64_t AsInt64() const { return small_; }  // Only when fits_int64().
  double ToDouble() const;                    // Infinity when out of range.
  std::string ToString() const;               // Decimal.
  bool IsNegative() const;
  bool IsZero() const { return big_.empty() && small_ == 0; }

  friend bool operator==(const Integer& a, const Integer& b) {
    return a.small_ == b.small_ && a.big_ == b.big_;
  }
  // Exact, as Python compares: Integer with Integer or with a finite double.
  static int Compare(const Integer& a, const Integer& b);
  static int Compare(const Integer& a, double b);

  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator*(const Integer& a, const Integer& b);
  Integer operator-() const;

 private:
  int64_t small_ = 0;
  std::string big_;  // Canonical decimal text if out of int64 range, else empty.
};

}  // namespace ridgeline::config
