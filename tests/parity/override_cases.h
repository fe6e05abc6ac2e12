#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::parity {

// What we make of the `input` of one line of overrides.jsonl, in the form of
// its `expect`.
nlohmann::ordered_json ObserveOverride(const nlohmann::ordered_json& test_case);

}  // namespace ridgeline::parity
