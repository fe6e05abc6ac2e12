// Sets of instants, as sorted intervals that neither touch nor overlap.
#pragma once

#include <cstdint>
#include <vector>

namespace ridgeline::analysis {

struct Interval {
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // Not part of it.

  bool operator==(const Interval&) const = default;
};

using IntervalUnion = std::vector<Interval>;

// Of any intervals, in any order. Those that are empty add nothing: they split no gap.
IntervalUnion UnionOf(std::vector<Interval> intervals);

int64_t LengthOf(const IntervalUnion& instants);

// How long both last at once.
int64_t OverlapOf(const IntervalUnion& a, const IntervalUnion& b);

}  // namespace ridgeline::analysis
