#include <algorithm>

#include "analysis/intervals.h"

namespace ridgeline::analysis {

IntervalUnion UnionOf(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.end_ns <= i.start_ns; });
  const auto starts_before = [](const Interval& a, const Interval& b) {
    return a.start_ns < b.start_ns;
  };
  if (!std::is_sorted(intervals.begin(), intervals.end(), starts_before)) {
    std::sort(intervals.begin(), intervals.end(), starts_before);
  }
  size_t used = 0;
  for (const Interval& next : intervals) {
    if (used > 0 && next.start_ns <= intervals[used - 1].end_ns) {
      intervals[used - 1].end_ns = std::max(intervals[used - 1].end_ns, next.end_ns);
    } else {
      intervals[used++] = next;
    }
  }
  intervals.resize(used);
  return intervals;
}

int64_t LengthOf(const IntervalUnion& instants) {
  int64_t length_ns = 0;
  for (const Interval& i : instants) length_ns += i.end_ns - i.start_ns;
  return length_ns;
}

int64_t OverlapOf(const IntervalUnion& a, const IntervalUnion& b) {
  int64_t overlap_ns = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int64_t start = std::max(i->start_ns, j->start_ns);
    const int64_t end = std::min(i->end_ns, j->end_ns);
    if (end > start) overlap_ns += end - start;
    i->end_ns < j->end_ns ? ++i : ++j;
  }
  return overlap_ns;
}

}  // namespace ridgeline::analysis
