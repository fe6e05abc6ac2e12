// What many modules do with JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace ridgeline {

// Null for what is not known. Callers include <nlohmann/json.hpp>.
template <typename Json = nlohmann::ordered_json, typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace ridgeline
