// What many modules do with JSON. Parsing and writing are compiled once, in json.cc: each
// takes seconds in every file that calls nlohmann's own functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline {

// Of nlohmann::json or nlohmann::ordered_json; is_discarded() if the text is not JSON.
template <typename Json>
Json ParseJson(std::string_view text);

// In one line if `indent` is negative. Bytes that are not UTF-8 become U+FFFD.
std::string DumpJson(const nlohmann::json& json, int indent = -1);
std::string DumpJson(const nlohmann::ordered_json& json, int indent = -1);

// Null for what is not known. Callers include <nlohmann/json.hpp>.
template <typename Json = nlohmann::ordered_json, typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace ridgeline
