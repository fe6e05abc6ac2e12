#pragma once

#include "analysis/analyze.h"
#include "tests/reference/stats.h"

namespace ridgeline::trace_cases {

using reference::Json;

// Findings of a trace in the form of the recorded answers, which list the ten longest
// of each, have percentages instead of shares, and leave out what is empty.
Json AsReference(const analysis::AnalyzedTrace& trace);

}  // namespace ridgeline::trace_cases
