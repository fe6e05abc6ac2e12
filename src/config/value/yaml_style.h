#pragma once

#include <string>
#include <string_view>

namespace ridgeline::config {

// The styles that the characters of a text permit in block context.
struct YamlTextTraits {
  bool multiline = false;
  bool may_be_plain = true;  // Judging by its characters; the tag may still rule it out.
  bool may_be_single_quoted = true;
};

YamlTextTraits AnalyzeYamlText(std::u32string_view text);

// Decodes UTF-8; a byte that is not UTF-8 becomes the lone surrogate Python uses for it.
std::u32string ToCharacters(std::string_view text);

}  // namespace ridgeline::config
