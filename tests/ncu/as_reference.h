// What the program prints of files of ncu, in the words of the reference answers.
#pragma once

#include <nlohmann/json.hpp>

namespace ridgeline::ncu_cases {

using Json = nlohmann::json;

// Of NcuToJson().
Json FileAsReference(const Json& file);

// Of one launch of it.
Json LaunchAsReference(const Json& launch);

// The answers without what is no number there and one here: speedups are texts.
Json Comparable(Json answers);

}  // namespace ridgeline::ncu_cases
