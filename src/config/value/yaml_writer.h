#pragma once

#include <string>
#include <string_view>

namespace ridgeline::config {

// Puts YAML on paper: knows the column it is at and how PyYAML separates,
// indents and folds. Lines are folded at the first space after column 80.
class YamlWriter {
 public:
  // What the last character leaves open, and what an indicator declares.
  enum class After { kNothing, kWhitespace, kIndention };

  // "-", "?", ":", "[", a tag; after anything but white space a space comes first.
  void Indicator(std::string_view indicator, After after = After::kNothing);
  // The same, but directly behind what is there: the ":" of "key:".
  void AdjacentIndicator(std::string_view indicator);
  // Goes to column `indent` of a fresh line, or of this one if it is still blank.
  void Indent();
  void LineBreak(std::u32string_view line_break = U"\n");

  // Scalars. Continuation lines start at column `indent`.
  enum class Folding { kAllowed, kNever };
  void Plain(std::u32string_view text, Folding folding);
  void SingleQuoted(std::u32string_view text, Folding folding);
  void DoubleQuoted(std::u32string_view text, Folding folding);
  // A block scalar "|" of lines that all end with a newline and are not blank.
  void Literal(std::u32string_view text);

  // Whether the line holds nothing but indentation and "-", "?", ":" so far.
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

// \n, NEL, LS, PS: what YAML 1.1 breaks a line at. A \r is written escaped.
bool IsYamlBreak(char32_t code);

}  // namespace ridgeline::config
