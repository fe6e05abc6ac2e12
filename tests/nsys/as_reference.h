#pragma once

#include "tests/reference/renamed.h"

namespace ridgeline::nsys_cases {

using reference::Json;

// One profile of `ridgeline import --json --top 10` in the form of the recorded answers,
// which have other names, percentages instead of shares, and leave out what is empty.
Json ExportAsReference(const Json& profile);
Json SummaryAsReference(const Json& profile);

}  // namespace ridgeline::nsys_cases
