#include "base/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

// nlohmann escapes what JSON requires; DEL and C1 also control terminals. They occur only
// in strings, where the escaped form is equivalent.
std::string WithEscapedControls(std::string text) {
  const auto is_c1 = [&text](size_t at) {
    return text[at] == '\xc2' && at + 1 < text.size() && text[at + 1] < '\xa0';
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x7f') text.replace(at, 1, "\\u007f");
    if (!is_c1(at)) continue;
    const auto code = static_cast<unsigned char>(text[at + 1]);
    text.replace(at, 2, fmt::format("\\u{:04x}", code));
  }
  return text;
}

template <typename Json>
std::string Dumped(const Json& json, int indent) {
  return WithEscapedControls(
      json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace));
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
