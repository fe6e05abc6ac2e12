// Saturating counts of operations, bytes and parameters.
#pragma once

#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace ridgeline {

// An integer from 0 to 2^64 - 2. On overflow it does not wrap around: it becomes "too
// much", and so does everything computed from it.
class Count {
 public:
  constexpr Count() = default;
  // Implicit on purpose: dimensions and small factors are plain integers. Not negative.
  template <std::integral T>
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Count(T value) : value_(static_cast<uint64_t>(value)) {
    if constexpr (std::signed_integral<T>) assert(value >= 0);
  }

  constexpr bool is_exact() const { return value_ != kTooMuch; }
  constexpr uint64_t value() const { return value_; }
  constexpr double as_double() const { return static_cast<double>(value_); }

  friend constexpr Count operator+(Count a, Count b) {
    uint64_t sum = 0;
    const bool fits = !__builtin_add_overflow(a.value_, b.value_, &sum);
    return fits && a.is_exact() && b.is_exact() ? Count(sum) : Count(kTooMuch);
  }
  friend constexpr Count operator*(Count a, Count b) {
    if (a.value_ == 0 || b.value_ == 0) return {};
    uint64_t product = 0;
    const bool fits = !__builtin_mul_overflow(a.value_, b.value_, &product);
    return fits && a.is_exact() && b.is_exact() ? Count(product) : Count(kTooMuch);
  }
  constexpr Count& operator+=(Count other) { return *this = *this + other; }

  friend constexpr auto operator<=>(Count, Count) = default;

 private:
  static constexpr uint64_t kTooMuch = std::numeric_limits<uint64_t>::max();

  uint64_t value_ = 0;
};

}  // namespace ridgeline
