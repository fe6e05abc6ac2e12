// JSON that others wrote and that must not be ambiguous.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::checkpoints {

// Beyond the syntax, a key may stand only once in its mapping, values may be nested no
// deeper than 32, and the text ends where it ends, not at a zero byte.
Result<nlohmann::json> ParseStrictJson(std::string_view text);

// A name of theirs for a message of ours: in quotes, cut if it is absurdly long.
std::string Quoted(std::string_view name);

}  // namespace ridgeline::checkpoints
