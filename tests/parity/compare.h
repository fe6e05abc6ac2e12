#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridgeline::parity {

// One field of an answer that is not as it was recorded.
struct Difference {
  std::string field;  // "cfg", "error.message", "run.files", ...
  std::string want;   // JSON, cut where it is long; "absent" if it is not there.
  std::string got;
};

// What differs between the `expect` of a recorded case and what we observe for
// it; nothing when the case holds. data/README.md says what has to be equal.
std::vector<Difference> Differences(const nlohmann::ordered_json& test_case,
                                    const nlohmann::ordered_json& observed);

}  // namespace ridgeline::parity
