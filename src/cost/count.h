// Sums and pairs of counts.
#pragma once

#include "base/count.h"

namespace ridgeline::cost {

using ridgeline::Count;

// 1 + 2 + ... + n.
constexpr Count SumUpTo(Count n) {
  const uint64_t even_half = n.value() / 2;
  if (!n.is_exact()) return n;
  return n.value() % 2 == 0 ? Count(even_half) * (n + 1) : n * Count(even_half + 1);
}

// Executed and useful work.
struct Amount {
  Count executed;  // Computed by the network.
  // Needed for the result: without masked (query, key) pairs and without padding rows
  // that are cut off again.
  Count useful;

  static constexpr Amount Same(Count count) { return {count, count}; }

  friend constexpr Amount operator+(Amount a, Amount b) {
    return {a.executed + b.executed, a.useful + b.useful};
  }
  friend constexpr Amount operator*(Amount a, Count factor) {
    return {a.executed * factor, a.useful * factor};
  }
  constexpr Amount& operator+=(Amount other) { return *this = *this + other; }
  friend constexpr bool operator==(Amount, Amount) = default;
};

}  // namespace ridgeline::cost
