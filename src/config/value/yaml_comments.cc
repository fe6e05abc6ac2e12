#include "config/value/yaml_comments.h"

#include <algorithm>

namespace ridgeline::config {
namespace {

// Smaller savings are not worth a copy.
constexpr size_t kWorthwhile = 64;

// A quote opens a quoted scalar only where a value can begin; elsewhere it is an ordinary
// character of a plain scalar.
bool IsValueStart(std::string_view line, size_t at) {
  const size_t before = line.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  if (at == 0 || before == std::string_view::npos) return true;
  const char c = line[before];
  if (c == '[' || c == '{' || c == ',') return true;
  if (before + 1 == at) return false;
  return c == ':' || (c == '-' && line.find_first_not_of("- ") >= at);
}

// The end (exclusive) of the quoted scalar that begins at `at`; npos if it continues on
// the next line.
size_t QuotedEnd(std::string_view line, size_t at) {
  const char quote = line[at];
  for (size_t i = at + 1; i < line.size(); ++i) {
    if (quote == '"' && line[i] == '\\') {
      ++i;
    } else if (line[i] == quote) {
      const bool escaped = quote == '\'' && i + 1 < line.size() && line[i + 1] == quote;
      if (!escaped) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

// Where the comment of a line begins (the line's length if there is none); empty if the
// line may be part of a multi-line scalar.
std::optional<size_t> CommentStart(std::string_view line) {
  for (size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '#' && (i == 0 || line[i - 1] == ' ')) return i;
    // Block scalars begin with | or >; lines with tabs or other line breaks are not
    // touched.
    if (c == '|' || c == '>' || c == '\t' || c == '\r') return std::nullopt;
    if (c != '\'' && c != '"') {
      ++i;
      continue;
    }
    if (!IsValueStart(line, i)) return std::nullopt;
    i = QuotedEnd(line, i);
    if (i == std::string_view::npos) return std::nullopt;
  }
  return line.size();
}

// YAML has line breaks other than '\n'; a comment ends at any of them.
bool HoldsOtherBreak(std::string_view comment) {
  for (const char* line_break : {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (comment.find(line_break) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> WithoutCommentText(std::string_view text) {
  std::string shortened;
  shortened.reserve(text.size());
  size_t cut = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::optional<size_t> comment = CommentStart(line);
    if (!comment) return std::nullopt;
    const std::string_view rest = line.substr(*comment);
    if (rest.size() > 1 && !HoldsOtherBreak(rest)) {
      shortened += line.substr(0, *comment + 1);
      cut += rest.size() - 1;
    } else {
      shortened += line;
    }
    if (end < text.size()) shortened += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (cut < kWorthwhile) return std::nullopt;
  return shortened;
}

}  // namespace ridgeline::config
