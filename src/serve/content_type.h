#pragma once

#include <string_view>

namespace ridgeline::serve {

struct ContentType {
  std::string_view name;
  bool is_shown = false;  // False: a browser downloads it instead.
};

// By file name suffix. Content a browser could execute is only shown as a page of a run
// (kPolicyOfRunPages); an SVG, for example, is not.
ContentType ContentTypeOf(std::string_view file_name);

inline constexpr std::string_view kHtml = "text/html; charset=utf-8";
inline constexpr std::string_view kText = "text/plain; charset=utf-8";
inline constexpr std::string_view kJson = "application/json";

}  // namespace ridgeline::serve
