#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace ridgeline::analysis {

// Sums of times saturate instead of overflowing: input files may contain any value.
constexpr int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<int64_t>::max()
               : std::numeric_limits<int64_t>::min();
}

constexpr int64_t SaturatingSubtract(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? std::numeric_limits<int64_t>::max()
               : std::numeric_limits<int64_t>::min();
}

// Sets of points in time, as sorted intervals that neither touch nor overlap.

struct Interval {
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // Exclusive.

  bool operator==(const Interval&) const = default;
};

using IntervalUnion = std::vector<Interval>;

// Takes intervals in any order. Empty ones are ignored: they do not split a gap.
IntervalUnion UnionOf(std::vector<Interval> intervals);

int64_t LengthOf(const IntervalUnion& instants);

// Length of the intersection.
int64_t OverlapOf(const IntervalUnion& a, const IntervalUnion& b);

}  // namespace ridgeline::analysis
