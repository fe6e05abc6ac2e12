#include "base/json.h"

#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

template <typename Json>
std::string Dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace

template <typename Json>
Json ParseJson(std::string_view text) {
  return Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
}
template nlohmann::json ParseJson(std::string_view text);
template nlohmann::ordered_json ParseJson(std::string_view text);

std::string DumpJson(const nlohmann::json& json, int indent) {
  return Dumped(json, indent);
}

std::string DumpJson(const nlohmann::ordered_json& json, int indent) {
  return Dumped(json, indent);
}

}  // namespace ridgeline
