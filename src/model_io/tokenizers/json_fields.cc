#include "model_io/tokenizers/json_fields.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline::tokenizers {
namespace {

using simdjson::dom::element;

std::optional<element> Field(const JsonObject& from, std::string_view key) {
  element value;
  if (from.object.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) {
    return std::nullopt;
  }
  return value;
}

// Turns nullopt into an error.
template <typename T>
Result<T> Required(const JsonObject& from, std::string_view key,
                   Result<std::optional<T>> field) {
  if (!field.ok()) return std::move(field).error();
  if (!field.value()) return JsonProblem(from.PlaceOf(key), "is missing");
  return *std::move(field).value();
}

}  // namespace

std::string JsonObject::PlaceOf(std::string_view key) const {
  return place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
}

std::string JsonArray::PlaceOf(size_t index) const {
  return fmt::format("{}[{}]", place, index);
}

Error JsonProblem(std::string_view place, std::string_view what) {
  return {ErrorCode::kParse,
          place.empty() ? std::string(what) : fmt::format("'{}' {}", place, what)};
}

Result<JsonObject> AsObject(element value, std::string place) {
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) {
    return JsonProblem(place, "is not an object");
  }
  return JsonObject{object, std::move(place)};
}

Result<int64_t> AsInteger(element value, std::string_view place) {
  int64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS) {
    return JsonProblem(place, "is not an integer");
  }
  return number;
}

Result<std::string_view> AsText(element value, std::string_view place) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return JsonProblem(place, "is not a string");
  return text;
}

Result<std::optional<JsonObject>> OptionalObject(const JsonObject& from,
                                                 std::string_view key) {
  const std::optional<element> field = Field(from, key);
  if (!field) return std::optional<JsonObject>();
  RIDGELINE_TRY(JsonObject object, AsObject(*field, from.PlaceOf(key)));
  return std::optional(std::move(object));
}

Result<std::optional<JsonArray>> OptionalArray(const JsonObject& from,
                                               std::string_view key) {
  const std::optional<element> field = Field(from, key);
  if (!field) return std::optional<JsonArray>();
  simdjson::dom::array array;
  if (field->get(array) != simdjson::SUCCESS) {
    return JsonProblem(from.PlaceOf(key), "is not a list");
  }
  return std::optional(JsonArray{array, from.PlaceOf(key)});
}

Result<std::optional<std::string_view>> OptionalText(const JsonObject& from,
                                                     std::string_view key) {
  const std::optional<element> field = Field(from, key);
  if (!field) return std::optional<std::string_view>();
  RIDGELINE_TRY(const std::string_view text, AsText(*field, from.PlaceOf(key)));
  return std::optional(text);
}

Result<std::optional<bool>> OptionalBool(const JsonObject& from, std::string_view key) {
  const std::optional<element> field = Field(from, key);
  if (!field) return std::optional<bool>();
  bool value = false;
  if (field->get(value) != simdjson::SUCCESS) {
    return JsonProblem(from.PlaceOf(key), "is not a boolean");
  }
  return std::optional(value);
}

Result<JsonObject> RequiredObject(const JsonObject& from, std::string_view key) {
  return Required(from, key, OptionalObject(from, key));
}

Result<JsonArray> RequiredArray(const JsonObject& from, std::string_view key) {
  return Required(from, key, OptionalArray(from, key));
}

Result<std::string_view> RequiredText(const JsonObject& from, std::string_view key) {
  return Required(from, key, OptionalText(from, key));
}

Result<int64_t> RequiredInteger(const JsonObject& from, std::string_view key) {
  const std::optional<element> field = Field(from, key);
  if (!field) return JsonProblem(from.PlaceOf(key), "is missing");
  return AsInteger(*field, from.PlaceOf(key));
}

bool HasField(const JsonObject& from, std::string_view key) {
  return Field(from, key).has_value();
}

}  // namespace ridgeline::tokenizers
