#include "parity/override_cases.h"

#include <string>

#include "app/override_json.h"

namespace ridgeline::parity {

nlohmann::ordered_json ObserveOverride(const nlohmann::ordered_json& test_case) {
  return app::ParsedOverrideJson(test_case.at("input").get<std::string>());
}

}  // namespace ridgeline::parity
