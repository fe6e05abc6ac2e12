// Fields of a JSON object, with errors that name them: "'model.vocab' is missing".
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace ridgeline::tokenizers {

// An object and its position in the file.
struct JsonObject {
  simdjson::dom::object object;
  std::string place;  // "model"; empty for the whole file.

  // "model.vocab"
  std::string PlaceOf(std::string_view key) const;
};

struct JsonArray {
  simdjson::dom::array array;
  std::string place;

  // "added_tokens[3]"
  std::string PlaceOf(size_t index) const;
};

// "'place' what", as kParse.
Error JsonProblem(std::string_view place, std::string_view what);

// Valid, but not supported.
inline Error Unsupported(std::string message) {
  return {ErrorCode::kUnsupported, std::move(message)};
}

// nullopt if the field is null or missing. A value of another type is kParse.
Result<std::optional<JsonObject>> OptionalObject(const JsonObject& from,
                                                 std::string_view key);
Result<std::optional<JsonArray>> OptionalArray(const JsonObject& from,
                                               std::string_view key);
Result<std::optional<std::string_view>> OptionalText(const JsonObject& from,
                                                     std::string_view key);
Result<std::optional<bool>> OptionalBool(const JsonObject& from, std::string_view key);

// The same, but a missing field is kParse.
Result<JsonObject> RequiredObject(const JsonObject& from, std::string_view key);
Result<JsonArray> RequiredArray(const JsonObject& from, std::string_view key);
Result<std::string_view> RequiredText(const JsonObject& from, std::string_view key);
Result<int64_t> RequiredInteger(const JsonObject& from, std::string_view key);

// For values that are not a field of an object.
Result<JsonObject> AsObject(simdjson::dom::element value, std::string place);
Result<int64_t> AsInteger(simdjson::dom::element value, std::string_view place);
Result<std::string_view> AsText(simdjson::dom::element value, std::string_view place);

// Whether the field exists and is not null.
bool HasField(const JsonObject& from, std::string_view key);

}  // namespace ridgeline::tokenizers
