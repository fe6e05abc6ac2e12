#pragma once

#include "config/overrides/function_call.h"

namespace ridgeline::config {

enum class SortOrder { kAscending, kDescending };

// Python's sorted(): stable, and a TypeError names the first pair that Python
// would have found not to be comparable.
Evaluated<ParsedList> Sorted(ParsedList list, SortOrder order);

// Turns a range around if it does not run in the wanted direction.
Evaluated<RangeSweep> SortedRange(RangeSweep range, SortOrder order);

}  // namespace ridgeline::config
