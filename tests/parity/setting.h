#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "config/compose/composer.h"

namespace ridgeline::parity {

using Json = nlohmann::ordered_json;

// The inputs of a recorded composition or sweep, with what is the same in all
// of them: the virtual directories, the frozen time, the job name.
struct Setting {
  config::MemoryFiles files;
  config::ComposeRequest request;
  config::World world;
};
void FillSetting(const Json& test_case, Setting& setting);

// An error in the form of `expect.error`.
Json ErrorJson(const config::Error& error, const std::string& stage);

}  // namespace ridgeline::parity
