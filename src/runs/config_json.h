#pragma once

#include <nlohmann/json.hpp>

#include "config/value/value.h"

namespace ridgeline::runs {

// Lossless JSON for plain data: integers beyond 64 bits are {"$int": "..."}, inf and nan
// {"$float": "inf"}, bytes {"$bytes": base64}, and a mapping with a key that is not a
// string (or begins with '$') {"$map": [[key, value], ...]}.
nlohmann::ordered_json ToJson(const config::Value& value);

}  // namespace ridgeline::runs
