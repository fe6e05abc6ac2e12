// A parsed override as JSON: `ridgeline config parse-override` prints it, and the
// parity tests compare it with what Hydra parsed.
#pragma once

#include <nlohmann/json.hpp>

#include "config/overrides/override.h"
#include "config/overrides/override_parser.h"
#include "config/value/value.h"

namespace ridgeline::app {

// {"t": "int", "v": "1"}, {"t": "choice", ...}: every value with its type, numbers
// as the text that Python prints.
nlohmann::ordered_json ToJson(const config::ParsedValue& value);

// {"ok": true, "type": "CHANGE", "key": ..., "value": ..., "as_str" or "sweep": ...}.
// Of a sweep the first 64 values; "sweep_multiset" if their order is random.
nlohmann::ordered_json ToJson(const config::Override& override);

// {"ok": false, "kind": "lexer", "class": ..., "message": ...}.
nlohmann::ordered_json ToJson(const config::OverrideError& error);

// Parses and shows one or the other.
nlohmann::ordered_json ParsedOverrideJson(std::string_view line);

// Plain data as JSON without loss: integers beyond 64 bits are {"$int": "..."},
// inf and nan {"$float": "inf"}, bytes {"$bytes": base64}, and a mapping with a
// key that is not a string (or begins with '$') {"$map": [[key, value], ...]}.
nlohmann::ordered_json ToJson(const config::Value& value);

}  // namespace ridgeline::app
