#include <algorithm>

#include "model_io/predictions/gallery.h"

namespace ridgeline::predictions {
namespace {

size_t LongestRun(std::string_view text, char wanted) {
  size_t longest = 0;
  size_t run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string EscapeMarkdown(std::string_view name) {
  // ASCII punctuation, which can always be escaped with a backslash, except characters
  // that mean nothing within a line and are common in names: - . , / etc.
  constexpr std::string_view kMarkup = "\\`*_{}[]()<>#+!|&~$^=:@\"'";
  std::string escaped;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      escaped += ' ';
      continue;
    }
    if (kMarkup.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string FencedBlock(std::string_view text) {
  const std::string fence(std::max<size_t>(3, LongestRun(text, '`') + 1), '`');
  std::string block = fence + "text\n";
  block += text;
  if (!text.empty() && !text.ends_with('\n')) block += '\n';
  return block + fence + "\n";
}

}  // namespace ridgeline::predictions
