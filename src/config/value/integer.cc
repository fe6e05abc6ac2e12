#include "config/value/integer.h"

#include <gmpxx.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace ridgeline::config {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

int DigitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return std::numeric_limits<int>::max();
}

mpz_class ToMpz(const Integer& value) {
  if (value.fits_int64()) return mpz_class(static_cast<long>(value.AsInt64()));
  mpz_class big;
  mpz_set_str(big.get_mpz_t(), value.ToString().c_str(), 10);
  return big;
}

int Sign(int order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); }

// Uses Parse, the only place that builds the canonical form.
Integer FromMpz(const mpz_class& value) {
  if (mpz_fits_slong_p(value.get_mpz_t()) != 0) return Integer(value.get_si());
  return *Integer::Parse(value.get_str());
}

}  // namespace

std::optional<Integer> Integer::Parse(std::string_view digits, int base) {
  std::string_view rest = digits;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+'))
    rest.remove_prefix(1);
  if (rest.empty()) return std::nullopt;
  // Counts down: the most negative int64 has no positive counterpart.
  int64_t small = 0;
  bool fits = true;
  for (const char c : rest) {
    const int digit = DigitValue(c);
    if (digit >= base) return std::nullopt;
    fits = fits && !__builtin_mul_overflow(small, base, &small) &&
           !__builtin_sub_overflow(small, digit, &small);
  }
  if (fits && (negative || small != std::numeric_limits<int64_t>::min())) {
    return Integer(negative ? small : -small);
  }
  mpz_class big;
  mpz_set_str(big.get_mpz_t(), std::string(rest).c_str(), base);
  Integer result;
  result.big_ = (negative ? "-" : "") + big.get_str();
  return result;
}

Integer Integer::FromDouble(double value) {
  const double whole = std::trunc(value);
  if (whole >= -kTwoTo63 && whole < kTwoTo63) return Integer(static_cast<int64_t>(whole));
  return FromMpz(mpz_class(whole));
}

double Integer::ToDouble() const {
  if (fits_int64()) return static_cast<double>(small_);
  // Rounds to nearest; GMP's own conversion truncates.
  return std::strtod(big_.c_str(), nullptr);
}

std::string Integer::ToString() const {
  return fits_int64() ? std::to_string(small_) : big_;
}

bool Integer::IsNegative() const {
  return fits_int64() ? small_ < 0 : big_.front() == '-';
}

int Integer::Compare(const Integer& a, const Integer& b) {
  if (a.fits_int64() && b.fits_int64()) {
    return a.small_ < b.small_ ? -1 : (a.small_ > b.small_ ? 1 : 0);
  }
  return Sign(cmp(ToMpz(a), ToMpz(b)));
}

int Integer::Compare(const Integer& a, double b) {
  if (std::isinf(b)) return b > 0 ? -1 : 1;
  if (!a.fits_int64()) return Sign(mpz_cmp_d(ToMpz(a).get_mpz_t(), b));
  if (b >= kTwoTo63) return -1;
  if (b < -kTwoTo63) return 1;
  const double whole = std::trunc(b);
  const int by_whole = Compare(a, Integer(static_cast<int64_t>(whole)));
  if (by_whole != 0 || whole == b) return by_whole;
  return b > whole ? -1 : 1;
}

Integer operator+(const Integer& a, const Integer& b) {
  int64_t sum = 0;
  if (a.fits_int64() && b.fits_int64() &&
      !__builtin_add_overflow(a.small_, b.small_, &sum)) {
    return Integer(sum);
  }
  return FromMpz(ToMpz(a) + ToMpz(b));
}

Integer operator*(const Integer& a, const Integer& b) {
  int64_t product = 0;
  if (a.fits_int64() && b.fits_int64() &&
      !__builtin_mul_overflow(a.small_, b.small_, &product)) {
    return Integer(product);
  }
  return FromMpz(ToMpz(a) * ToMpz(b));
}

Integer Integer::operator-() const {
  if (fits_int64() && small_ != std::numeric_limits<int64_t>::min())
    return Integer(-small_);
  return FromMpz(-ToMpz(*this));
}

}  // namespace ridgeline::config
