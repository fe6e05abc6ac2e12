#include "config/value/yaml_dialect.h"

#include <algorithm>
#include <utility>

#include "config/value/yaml_mark.h"
#include "config/value/yaml_tokens.h"

namespace ridgeline::config {
namespace {

// Each repair costs a pass; a file with more of them is not a configuration.
constexpr int kMaxRepairs = 64;

// Whether the text contains anything libyaml could stumble over, possibly inside quotes.
bool MayNeedRepair(std::string_view text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const char next = text[i + 1];
    if (text[i] == ':' &&
        std::string_view(",[]{}").find(next) != std::string_view::npos) {
      return true;
    }
    if (next == '\t' && text[i] == ' ') return true;
  }
  return false;
}

struct Insertion {
  size_t byte_offset = 0;
  char character = ' ';
};

// "|" becomes "|2" if the tab is two columns to the right of the parent.
std::optional<Insertion> IndentationIndicator(std::string_view text,
                                              const YamlScanFailure& failure) {
  const size_t header = ByteOffset(text, failure.context_at);
  const size_t tab = ByteOffset(text, failure.at);
  size_t line = header;
  while (line < tab && YamlBreakLength(text, line) == 0) ++line;
  // Blank lines before it count too: the longest sets the indentation.
  size_t columns_max = 0;
  size_t columns = 0;
  for (size_t at = line; at < tab; ++at) {
    columns = text[at] == ' ' ? columns + 1 : 0;
    columns_max = std::max(columns_max, columns);
  }
  const auto outer = static_cast<size_t>(failure.indent);
  if (columns != columns_max || columns <= outer || columns - outer > 9) {
    return std::nullopt;
  }
  return Insertion{header + 1, static_cast<char>('0' + (columns - outer))};
}

std::optional<Insertion> RepairOf(std::string_view text, const YamlScanFailure& failure) {
  if (failure.problem == "found unexpected ':'") {
    return Insertion{ByteOffset(text, failure.at) + 1, ' '};
  }
  if (failure.problem == "found a tab character where an indentation space is expected") {
    return IndentationIndicator(text, failure);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ToLibyamlDialect(std::string_view text) {
  if (!MayNeedRepair(text)) return std::nullopt;
  std::optional<std::string> repaired;
  for (int i = 0; i < kMaxRepairs; ++i) {
    const std::string_view now = repaired ? *repaired : text;
    YamlTokenReader tokens(now);
    while (tokens.Next()) {
    }
    const std::optional<YamlScanFailure> failure = tokens.failure();
    const std::optional<Insertion> insertion =
        failure ? RepairOf(now, *failure) : std::nullopt;
    if (!insertion) break;
    std::string next(now);
    next.insert(insertion->byte_offset, 1, insertion->character);
    repaired = std::move(next);
  }
  return repaired;
}

}  // namespace ridgeline::config
