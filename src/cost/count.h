// Numbers of operations, bytes and parameters.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace ridgeline::cost {

// A whole number from 0 to 2^64 - 2. What is larger is not wrapped around: it becomes
// "too much", and so does everything computed with it.
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

// 1 + 2 + ... + n.
constexpr Count SumUpTo(Count n) {
  const uint64_t even_half = n.value() / 2;
  if (!n.is_exact()) return n;
  return n.value() % 2 == 0 ? Count(even_half) * (n + 1) : n * Count(even_half + 1);
}

// The same amount of work counted twice.
struct Amount {
  Count executed;  // What the network multiplies and adds.
  // What its result needs: without pairs of a query and a key that a mask hides, and
  // without rows that only fill up a window and are cut off again.
  Count ideal;

  static constexpr Amount Same(Count count) { return {count, count}; }

  friend constexpr Amount operator+(Amount a, Amount b) {
    return {a.executed + b.executed, a.ideal + b.ideal};
  }
  friend constexpr Amount operator*(Amount a, Count factor) {
    return {a.executed * factor, a.ideal * factor};
  }
  constexpr Amount& operator+=(Amount other) { return *this = *this + other; }
  friend constexpr bool operator==(Amount, Amount) = default;
};

}  // namespace ridgeline::cost
