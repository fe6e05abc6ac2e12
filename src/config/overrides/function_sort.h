#pragma once

#include "config/overrides/function_call.h"

namespace ridgeline::config {

enum class SortOrder { kAscending, kDescending };

// Python's sorted(): stable; a TypeError names the first incomparable pair, in Python's
// order of comparison.
Evaluated<ParsedList> Sorted(ParsedList list, SortOrder order);

// Reverses a range that does not run in the requested direction.
Evaluated<RangeSweep> SortedRange(RangeSweep range, SortOrder order);

}  // namespace ridgeline::config
