// A parsed override as JSON: printed by `ridgeline config parse-override`, and compared
// with Hydra's result in the parity tests.
#pragma once

#include <nlohmann/json.hpp>

#include "config/overrides/override.h"
#include "config/overrides/override_parser.h"
#include "runs/config_json.h"

namespace ridgeline::app {

// {"t": "int", "v": "1"}, {"t": "choice", ...}: every value with its type, numbers as
// printed by Python.
nlohmann::ordered_json ToJson(const config::ParsedValue& value);

// {"ok": true, "type": "CHANGE", "key": ..., "value": ..., "as_str" or "sweep": ...}. The
// first 64 values of a sweep; "sweep_multiset" if their order is random.
nlohmann::ordered_json ToJson(const config::Override& override);

// {"ok": false, "kind": "lexer", "class": ..., "message": ...}.
nlohmann::ordered_json ToJson(const config::OverrideError& error);

// Parses an override and returns one or the other.
nlohmann::ordered_json ParsedOverrideJson(std::string_view line);

// For a value without types.
using runs::ToJson;

}  // namespace ridgeline::app
