// JSON helpers. Parsing and writing are compiled once, in json.cc: each takes seconds to
// compile in every file that calls nlohmann's own functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace ridgeline {

// For nlohmann::json and nlohmann::ordered_json; is_discarded() if the text is not JSON.
template <typename Json>
Json ParseJson(std::string_view text);

// On one line if `indent` is negative. Bytes that are not UTF-8 become U+FFFD.
std::string DumpJson(const nlohmann::json& json, int indent = -1);
std::string DumpJson(const nlohmann::ordered_json& json, int indent = -1);

// Null for unknown values. Callers include <nlohmann/json.hpp>.
template <typename Json = nlohmann::ordered_json, typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// The value, if it has the right type: int64_t for integers, double for all numbers,
// std::string for strings. Callers include <nlohmann/json.hpp>, as for the functions
// below.
template <typename T, typename Json>
std::optional<T> ValueIn(const Json& value) {
  static_assert(std::is_same_v<T, int64_t> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::string>);
  bool is_of_kind = false;
  if constexpr (std::is_same_v<T, int64_t>) is_of_kind = value.is_number_integer();
  if constexpr (std::is_same_v<T, double>) is_of_kind = value.is_number();
  if constexpr (std::is_same_v<T, std::string>) is_of_kind = value.is_string();
  if (!is_of_kind) return std::nullopt;
  return value.template get<T>();
}

// The same for a member; empty if there is none or `object` is not an object.
template <typename T, typename Json>
std::optional<T> MemberIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return ValueIn<T>(*found);
}

// The same for the target of a JSON pointer: "/flops/matrix".
template <typename T, typename Json>
std::optional<T> ValueAt(const Json& json, const char* pointer) {
  const typename Json::json_pointer at(pointer);
  if (!json.contains(at)) return std::nullopt;
  return ValueIn<T>(json.at(at));
}

struct RenamedKey {
  const char* old_name;
  const char* name;
};

// Renames keys of an earlier file version to their current names, at every depth. A key
// may reuse the old name of one earlier in the list.
template <typename Json, typename Keys>
void RenameKeys(Json& json, const Keys& keys) {
  if (json.is_object()) {
    for (const RenamedKey& key : keys) {
      const auto found = json.find(key.old_name);
      if (found == json.end()) continue;
      Json value = std::move(*found);
      json.erase(found);
      json[key.name] = std::move(value);
    }
  }
  if (!json.is_structured()) return;
  for (Json& value : json) RenameKeys(value, keys);
}

}  // namespace ridgeline
