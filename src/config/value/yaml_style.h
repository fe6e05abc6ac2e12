#pragma once

#include <string>
#include <string_view>

namespace ridgeline::config {

// What the characters of a text allow when it is written in block context.
struct YamlTextTraits {
  bool multiline = false;
  bool may_be_plain = true;  // As far as its characters go; the tag may differ.
  bool may_be_single_quoted = true;
};

YamlTextTraits AnalyzeYamlText(std::u32string_view text);

// Characters of UTF-8 text; a byte that is not UTF-8 becomes the lone surrogate
// by which Python carries it.
std::u32string ToCharacters(std::string_view text);

}  // namespace ridgeline::config
