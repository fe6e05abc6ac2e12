// Parser for JSON files from others, which must not be ambiguous.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::checkpoints {

// In addition to syntax errors, rejects duplicate keys, nesting deeper than 32, and text
// after a zero byte.
Result<nlohmann::json> ParseStrictJson(std::string_view text);

// A name from a file, for error messages: quoted, truncated if excessively long.
std::string Quoted(std::string_view name);

}  // namespace ridgeline::checkpoints
