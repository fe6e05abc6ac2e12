#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::parity {

// What we make of one line of compose.jsonl, in the form of its `expect`.
nlohmann::ordered_json ObserveCompose(const nlohmann::ordered_json& test_case);

}  // namespace ridgeline::parity
