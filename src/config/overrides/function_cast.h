#pragma once

#include "config/overrides/function_call.h"

namespace ridgeline::config {

enum class CastTarget { kInt, kFloat, kStr, kBool };

// int(x), float(x), str(x), bool(x) of the grammar: containers and sweeps are cast
// elementwise.
Evaluated<ParsedValue> Cast(const ParsedValue& value, CastTarget target);

}  // namespace ridgeline::config
