#pragma once

#include "analysis/analyze.h"
#include "tests/reference/stats.h"

namespace ridgeline::nsys_cases {

using reference::Json;

// Findings of a file in the form of the recorded answers, which list the ten longest of
// each, have percentages instead of shares, and leave out what is empty.
Json ExportAsReference(const analysis::AnalyzedExport& profile);
Json SummaryAsReference(const analysis::AnalyzedSummary& profile);

}  // namespace ridgeline::nsys_cases
