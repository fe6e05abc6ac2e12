#pragma once

#include <string>
#include <string_view>

namespace ridgeline::config {

// Writes YAML: tracks the column and separates, indents and folds like PyYAML. Lines are
// folded at the first space after column 80.
class YamlWriter {
 public:
  // State after the last character written, or after an indicator.
  enum class After { kNothing, kWhitespace, kIndention };

  // "-", "?", ":", "[", a tag; preceded by a space unless it follows white space.
  void Indicator(std::string_view indicator, After after = After::kNothing);
  // The same, without a preceding space: the ":" of "key:".
  void AdjacentIndicator(std::string_view indicator);
  // Moves to column `indent` of a new line, or of this one if it is still blank.
  void Indent();
  void LineBreak(std::u32string_view line_break = U"\n");

  // Scalars. Continuation lines start at column `indent`.
  enum class Folding { kAllowed, kNever };
  void Plain(std::u32string_view text, Folding folding);
  void SingleQuoted(std::u32string_view text, Folding folding);
  void DoubleQuoted(std::u32string_view text, Folding folding);
  // A block scalar "|" whose lines all end with a newline and are not blank.
  void Literal(std::u32string_view text);

  // Whether the line contains only indentation and "-", "?", ":" so far.
  bool at_indention() const { return indention_; }
  std::string Take() { return std::move(out_); }

  int indent = -1;          // Of the current collection; -1 outside any.
  bool open_ended = false;  // A plain scalar at the root needs "..." after it.

 private:
  void Write(std::u32string_view text);
  void WriteEscape(char32_t code);
  void WriteBreaks(std::u32string_view breaks);
  void FoldDoubleQuoted();
  bool MayFold(std::u32string_view text, size_t start, size_t end, Folding folding) const;

  std::string out_;
  int column_ = 0;
  bool whitespace_ = true;
  bool indention_ = true;
};

// \n, NEL, LS, PS: the line breaks of YAML 1.1 that are written as such; \r is escaped.
bool IsYamlBreak(char32_t code);

}  // namespace ridgeline::config
