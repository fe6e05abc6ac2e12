#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::parity {

// What we observe for a recorded multirun, in the form of its `expect`.
nlohmann::ordered_json ObserveSweep(const nlohmann::ordered_json& test_case);

}  // namespace ridgeline::parity
