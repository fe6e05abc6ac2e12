#include "config/value/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

constexpr int kWidth = 80;

enum class Run { kText, kSpaces, kBreaks };

Run RunOf(char32_t code) {
  if (code == ' ') return Run::kSpaces;
  return IsYamlBreak(code) ? Run::kBreaks : Run::kText;
}

size_t RunEnd(std::u32string_view text, size_t start) {
  const Run run = RunOf(text[start]);
  size_t end = start + 1;
  while (end < text.size() && RunOf(text[end]) == run) ++end;
  return end;
}

// In double quotes, characters of any script up to U+FFFD are written as they are;
// everything above is escaped, although plain scalars keep it.
bool NeedsEscape(char32_t code) {
  if (code == '"' || code == '\\' || code == 0x2028 || code == 0x2029 || code == 0xFEFF) {
    return true;
  }
  return !((code >= 0x20 && code <= 0x7E) || (code >= 0xA0 && code <= 0xD7FF) ||
           (code >= 0xE000 && code <= 0xFFFD));
}

constexpr std::array<std::pair<char32_t, char>, 15> kShortEscapes = {{
    {0x00, '0'},
    {0x07, 'a'},
    {0x08, 'b'},
    {0x09, 't'},
    {0x0A, 'n'},
    {0x0B, 'v'},
    {0x0C, 'f'},
    {0x0D, 'r'},
    {0x1B, 'e'},
    {0x22, '"'},
    {0x5C, '\\'},
    {0x85, 'N'},
    {0xA0, '_'},
    {0x2028, 'L'},
    {0x2029, 'P'},
}};

}  // namespace

bool IsYamlBreak(char32_t code) {
  return code == '\n' || code == 0x85 || code == 0x2028 || code == 0x2029;
}

void YamlWriter::Write(std::u32string_view text) {
  for (const char32_t code : text) {
    if (code < 0x80) {
      out_ += static_cast<char>(code);
    } else {
      AppendUtf8(code, out_);
    }
  }
  column_ += static_cast<int>(text.size());
}

void YamlWriter::Indicator(std::string_view indicator, After after) {
  if (!whitespace_) {
    out_ += ' ';
    ++column_;
  }
  const bool was_indention = indention_;
  AdjacentIndicator(indicator);
  whitespace_ = after == After::kWhitespace;
  indention_ = was_indention && after == After::kIndention;
}

void YamlWriter::AdjacentIndicator(std::string_view indicator) {
  out_ += indicator;
  column_ += static_cast<int>(indicator.size());
  whitespace_ = false;
  indention_ = false;
  open_ended = false;
}

void YamlWriter::Indent() {
  const int wanted = std::max(indent, 0);
  if (!indention_ || column_ > wanted || (column_ == wanted && !whitespace_)) LineBreak();
  if (column_ >= wanted) return;
  whitespace_ = true;
  out_.append(static_cast<size_t>(wanted - column_), ' ');
  column_ = wanted;
}

void YamlWriter::LineBreak(std::u32string_view line_break) {
  whitespace_ = true;
  indention_ = true;
  Write(line_break);
  column_ = 0;
}

// Past the line width, a single space inside the text may become a line break.
bool YamlWriter::MayFold(std::u32string_view text, size_t start, size_t end,
                         Folding folding) const {
  return folding == Folding::kAllowed && end == start + 1 && column_ > kWidth &&
         start != 0 && end != text.size();
}

void YamlWriter::Plain(std::u32string_view text, Folding folding) {
  if (!whitespace_) Write(U" ");
  whitespace_ = false;
  indention_ = false;
  for (size_t start = 0; start < text.size();) {
    const size_t end = RunEnd(text, start);
    if (text[start] == ' ' && MayFold(text, start, end, folding)) {
      Indent();
      whitespace_ = false;
      indention_ = false;
    } else {
      Write(text.substr(start, end - start));
    }
    start = end;
  }
}

void YamlWriter::SingleQuoted(std::u32string_view text, Folding folding) {
  Indicator("'");
  for (size_t start = 0; start < text.size();) {
    const size_t end = RunEnd(text, start);
    const std::u32string_view run = text.substr(start, end - start);
    if (RunOf(run.front()) == Run::kBreaks) {
      WriteBreaks(run);
    } else if (run.front() == ' ' && MayFold(text, start, end, folding)) {
      Indent();
    } else {
      for (const char32_t code : run) {
        Write(code == '\'' ? std::u32string_view(U"''") : std::u32string_view(&code, 1));
      }
    }
    start = end;
  }
  AdjacentIndicator("'");
}

// A single newline would be read as a space, so a run that begins with a newline gets one
// more.
void YamlWriter::WriteBreaks(std::u32string_view breaks) {
  if (breaks.front() == '\n') LineBreak();
  for (const char32_t code : breaks) LineBreak(std::u32string_view(&code, 1));
  Indent();
}

void YamlWriter::WriteEscape(char32_t code) {
  const auto* found = std::find_if(kShortEscapes.begin(), kShortEscapes.end(),
                                   [code](const auto& e) { return e.first == code; });
  std::string escape;
  const auto number = static_cast<uint32_t>(code);
  if (found != kShortEscapes.end()) {
    escape = {'\\', found->second};
  } else if (code <= 0xFF) {
    escape = fmt::format("\\x{:02X}", number);
  } else if (code <= 0xFFFF) {
    escape = fmt::format("\\u{:04X}", number);
  } else {
    escape = fmt::format("\\U{:08X}", number);
  }
  out_ += escape;
  column_ += static_cast<int>(escape.size());
}

// The backslash keeps the line break from becoming part of the text.
void YamlWriter::FoldDoubleQuoted() {
  Write(U"\\");
  Indent();
  whitespace_ = false;
  indention_ = false;
}

void YamlWriter::DoubleQuoted(std::u32string_view text, Folding folding) {
  Indicator("\"");
  // [start, end) is pending, so that a fold can be inserted before it. After an escape,
  // start is end + 1: nothing is pending.
  size_t start = 0;
  for (size_t end = 0; end < text.size(); ++end) {
    const char32_t code = text[end];
    if (NeedsEscape(code)) {
      if (start < end) Write(text.substr(start, end - start));
      WriteEscape(code);
      start = end + 1;
    }
    const int waiting = static_cast<int>(end) - static_cast<int>(start);
    const bool inside = end > 0 && end + 1 < text.size();
    if (!inside || (code != ' ' && start < end) || column_ + waiting <= kWidth ||
        folding == Folding::kNever) {
      continue;
    }
    if (start < end) {
      Write(text.substr(start, end - start));
      start = end;
    }
    FoldDoubleQuoted();
    // A space at the start of a line would be lost.
    if (text[start] == ' ') Write(U"\\");
  }
  if (start < text.size()) Write(text.substr(start));
  AdjacentIndicator("\"");
}

void YamlWriter::Literal(std::u32string_view text) {
  Indicator("|");
  LineBreak();
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(U'\n', start), text.size());
    Indent();
    Write(text.substr(start, end - start));
    LineBreak();
    start = end + 1;
  }
}

}  // namespace ridgeline::config
