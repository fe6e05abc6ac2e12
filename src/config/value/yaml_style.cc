#include "config/value/yaml_style.h"

#include "config/value/unicode.h"
#include "config/value/yaml_writer.h"

namespace ridgeline::config {
namespace {

bool IsYamlBlank(char32_t code) {
  return code == 0 || code == ' ' || code == '\t' || code == '\r' || IsYamlBreak(code);
}

bool IsShown(char32_t code) {
  if (code == '\n' || (code >= 0x20 && code <= 0x7E) || code == 0x85) return true;
  if (code == 0xFEFF) return false;
  return (code >= 0xA0 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD) ||
         (code >= 0x10000 && code < 0x10FFFF);
}

// Whether a parser would take the character at `at` as the start of something other than
// a plain scalar's text.
bool IsIndicator(std::u32string_view text, size_t at) {
  const char32_t code = text[at];
  const bool blank_follows = at + 1 >= text.size() || IsYamlBlank(text[at + 1]);
  if (code == ':') return blank_follows;
  if (at > 0) return code == '#' && IsYamlBlank(text[at - 1]);
  if (code == '?' || code == '-') return blank_follows;
  return std::u32string_view(U"#,[]{}&*!|>'\"%@`").find(code) !=
         std::u32string_view::npos;
}

}  // namespace

YamlTextTraits AnalyzeYamlText(std::u32string_view text) {
  YamlTextTraits traits;
  if (text.empty()) return traits;
  bool special = false;      // Only representable in double quotes.
  bool break_space = false;  // Single quotes would lose the space.
  bool space_break = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char32_t code = text[i];
    if (IsIndicator(text, i)) traits.may_be_plain = false;
    if (!IsShown(code)) special = true;
    if (IsYamlBreak(code)) traits.multiline = true;
    if (i == 0) continue;
    if (code == ' ' && IsYamlBreak(text[i - 1])) break_space = true;
    if (IsYamlBreak(code) && text[i - 1] == ' ') space_break = true;
  }
  const bool document_marker = text.starts_with(U"---") || text.starts_with(U"...");
  if (document_marker || text.front() == ' ' || text.back() == ' ') {
    traits.may_be_plain = false;
  }
  if (special || break_space || space_break) traits.may_be_single_quoted = false;
  if (traits.multiline || !traits.may_be_single_quoted) traits.may_be_plain = false;
  return traits;
}

std::u32string ToCharacters(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Utf8Character c = DecodeUtf8(text, i);
    characters += c.valid ? c.code : 0xDC00 + c.code;
    i += c.length;
  }
  return characters;
}

}  // namespace ridgeline::config
