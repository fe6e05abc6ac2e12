#pragma once

#include "tests/reference/renamed.h"

namespace ridgeline::trace_cases {

using reference::Json;

// One trace of `ridgeline import --json --top 10` in the form of the recorded answers,
// which have other names, percentages instead of shares, and leave out what is empty.
Json AsReference(const Json& trace);

}  // namespace ridgeline::trace_cases
