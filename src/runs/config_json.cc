#include "runs/config_json.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "config/value/base64.h"
#include "config/value/python_text.h"

namespace ridgeline::runs {
namespace {

using config::Scalar;
using config::Value;
using Json = nlohmann::ordered_json;

Json ScalarToJson(const Scalar& scalar) {
  if (const bool* truth = std::get_if<bool>(&scalar)) return *truth;
  if (const auto* integer = std::get_if<config::Integer>(&scalar)) {
    if (integer->fits_int64()) return integer->AsInt64();
    return Json{{"$int", integer->ToString()}};
  }
  if (const double* number = std::get_if<double>(&scalar)) {
    if (std::isfinite(*number)) return *number;
    return Json{{"$float", config::FloatRepr(*number)}};
  }
  if (const std::string* text = std::get_if<std::string>(&scalar)) return *text;
  if (const auto* bytes = std::get_if<config::Bytes>(&scalar)) {
    std::string text = config::Base64EncodeLines(bytes->data);
    text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
    return Json{{"$bytes", std::move(text)}};
  }
  if (const auto* opaque = std::get_if<config::Opaque>(&scalar)) return opaque->text;
  return nullptr;
}

bool NeedsPairs(const config::Dict& dict) {
  for (const auto& [key, value] : dict) {
    const std::string* name = std::get_if<std::string>(&key);
    if (name == nullptr || name->starts_with('$')) return true;
  }
  return false;
}

Json DictToJson(const config::Dict& dict) {
  Json object = Json::object();
  if (!NeedsPairs(dict)) {
    for (const auto& [key, value] : dict) {
      object[std::get<std::string>(key)] = ToJson(value);
    }
    return object;
  }
  Json pairs = Json::array();
  for (const auto& [key, value] : dict) {
    pairs.push_back(Json::array({ScalarToJson(key), ToJson(value)}));
  }
  object["$map"] = std::move(pairs);
  return object;
}

}  // namespace

Json ToJson(const Value& value) {
  if (value.is_scalar()) return ScalarToJson(value.scalar());
  if (value.is_dict()) return DictToJson(value.dict());
  Json list = Json::array();
  for (const Value& item : value.list()) list.push_back(ToJson(item));
  return list;
}

}  // namespace ridgeline::runs
