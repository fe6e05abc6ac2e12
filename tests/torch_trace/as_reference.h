#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::trace_cases {

using Json = nlohmann::ordered_json;

// One trace of `ridgeline import --json --top 10` in the form of the recorded answers,
// which have other names, percentages instead of shares, and leave out what is empty.
Json AsReference(const Json& trace);

}  // namespace ridgeline::trace_cases
