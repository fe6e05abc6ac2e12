// A parsed override as JSON: `ridgeline config parse-override` prints it, and the
// parity tests compare it with what Hydra parsed.
#pragma once

#include <nlohmann/json.hpp>

#include "config/overrides/override.h"
#include "config/overrides/override_parser.h"
#include "runs/config_json.h"

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

// Of a value without types.
using runs::ToJson;

}  // namespace ridgeline::app
