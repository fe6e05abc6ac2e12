#include "report/printers/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/units.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxCell = 160;

// Kernel names differ at both ends.
std::string ShortenedCell(std::string_view text) {
  if (text.size() <= kMaxCell) return std::string(text);
  const size_t half = kMaxCell / 2;
  return std::string(text.substr(0, half)) + "..." +
         std::string(text.substr(text.size() - half));
}

bool IsWordAt(std::string_view text, size_t i) {
  return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
}

// Whether an `_` that may open emphasis has a closing one after it.
bool IsClosed(std::string_view text, size_t opening) {
  for (size_t i = opening + 1; i < text.size(); ++i) {
    if (text[i] == '_' && !IsWordAt(text, i + 1)) return true;
  }
  return false;
}

// Whether HTML begins at this `<`: "a < b" is text.
bool OpensTag(std::string_view text, size_t i) {
  if (i + 1 == text.size()) return true;
  return text[i + 1] != ' ' && std::isdigit(static_cast<unsigned char>(text[i + 1])) == 0;
}

// Whether this character is special in Markdown here. Names are also read in terminals,
// so others are not escaped: `_` within a word or without a second one, `]` without an
// address after it.
bool MeansSomething(std::string_view text, size_t i) {
  if (text[i] == '_') return (i == 0 || !IsWordAt(text, i - 1)) && IsClosed(text, i);
  if (text[i] == ']') return i + 1 < text.size() && text[i + 1] == '(';
  return std::string_view("\\`*|").find(text[i]) != std::string_view::npos;
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string escaped;
  int open_tags = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' && OpensTag(text, i)) {
      escaped += "&lt;";
      ++open_tags;
    } else if (c == '>' && (i == 0 || open_tags > 0)) {
      escaped += "&gt;";  // Elsewhere, as in "2>&1", it is text.
      open_tags = std::max(0, open_tags - 1);
    } else if (c == '\n' || c == '\r') {
      escaped += ' ';
    } else {
      if (MeansSomething(text, i)) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string Table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string text = "|";
  for (const Column& column : columns) text += " " + column.title + " |";
  text += "\n|";
  for (const Column& column : columns) {
    text += column.align == Align::kLeft ? " --- |" : " ---: |";
  }
  text += "\n";
  for (const std::vector<std::string>& row : rows) {
    text += "|";
    for (const std::string& cell : row) text += " " + Escaped(ShortenedCell(cell)) + " |";
    text += "\n";
  }
  return text;
}

std::string ExperimentInTitle(const Document& document) {
  for (const ConfigRow& row : document.config) {
    if (row.key != "experiment" || row.value.empty() || row.value == "null") continue;
    return " (" + Escaped(row.value) + ")";
  }
  return "";
}

std::string Percent(double share) { return units::Percent(share); }

std::string Milliseconds(double ns) { return fmt::format("{:.3f} ms", ns * 1e-6); }

std::string SignedBytes(double bytes) { return units::SignedBytes(bytes); }

}  // namespace ridgeline::report
