#include "config/tree/scalar_types.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Error Invalid(std::string text) { return Error(ErrorKind::kValidation, std::move(text)); }

Result<Value> ConvertAny(const Value& value) {
  const bool opaque = value.is_scalar() && std::holds_alternative<Opaque>(value.scalar());
  if (value.is_scalar() && !opaque) return value;
  return Error(ErrorKind::kUnsupportedValueType,
               "Value '" + TypeName(value) + "' is not a supported primitive type");
}

Result<Value> ConvertString(const Value& value) {
  if (!value.is_scalar() || std::holds_alternative<Bytes>(value.scalar())) {
    return Invalid("Cannot convert '$VALUE_TYPE' to string: '$VALUE'");
  }
  return Value(Str(value));
}

Result<Value> ConvertInteger(const Value& value) {
  if (value.is_int()) return value;
  if (value.is_string()) {
    if (std::optional<Integer> parsed = ParsePythonInt(value.string())) {
      return Value(*parsed);
    }
  }
  return Invalid(
      "Value '$VALUE' of type '$VALUE_TYPE' could not be converted to Integer");
}

bool IsOneOf(std::string text, std::initializer_list<std::string_view> words) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(words.begin(), words.end(), text) != words.end();
}

Result<Value> ConvertBool(const Value& value) {
  if (value.is_bool()) return value;
  if (value.is_int()) return Value(!std::get<Integer>(value.scalar()).IsZero());
  if (value.is_string()) {
    if (const std::optional<Integer> parsed = ParsePythonInt(value.string())) {
      return Value(!parsed->IsZero());
    }
    if (IsOneOf(value.string(), {"yes", "y", "on", "true"})) return Value(true);
    if (IsOneOf(value.string(), {"no", "n", "off", "false"})) return Value(false);
  }
  return Invalid("Value '$VALUE' is not a valid bool (type $VALUE_TYPE)");
}

Result<Value> ConvertRunMode(const Value& value) {
  if (!value.is_string() && !value.is_int() && !value.is_bool()) {
    return Invalid(
        "Value $VALUE ($VALUE_TYPE) is not a valid input for <enum 'RunMode'>");
  }
  if (value.is_int()) {
    const Integer number = std::get<Integer>(value.scalar());
    if (number == Integer(1)) return Value(kRunModes[0]);
    if (number == Integer(2)) return Value(kRunModes[1]);
  }
  if (value.is_string()) {
    std::string_view name = value.string();
    constexpr std::string_view kPrefix = "RunMode.";
    if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
    if (std::find(std::begin(kRunModes), std::end(kRunModes), name) !=
        std::end(kRunModes)) {
      return Value(name);
    }
  }
  return Invalid("Invalid value '$VALUE', expected one of [RUN, MULTIRUN]");
}

}  // namespace

Result<Value> ConvertScalar(const TypeHint& hint, const Value& value) {
  if (value.is_null()) {
    if (hint.optional) return Value();
    return Invalid("Incompatible value 'None' for field of type '" + hint.BareName() +
                   "'");
  }
  switch (hint.kind) {
    case TypeHint::Kind::kString:
      return ConvertString(value);
    case TypeHint::Kind::kInteger:
      return ConvertInteger(value);
    case TypeHint::Kind::kBool:
      return ConvertBool(value);
    case TypeHint::Kind::kEnum:
      return ConvertRunMode(value);
    case TypeHint::Kind::kAny:
    case TypeHint::Kind::kList:
    case TypeHint::Kind::kDict:
    case TypeHint::Kind::kStruct:
      return ConvertAny(value);
  }
  return ConvertAny(value);
}

}  // namespace ridgeline::config
