#include "report/printers/markdown.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

namespace ridgeline::report {
namespace {

constexpr size_t kLongestCell = 160;

// Kernel and template names tell themselves apart at both ends.
std::string ShortenedCell(std::string_view text) {
  if (text.size() <= kLongestCell) return std::string(text);
  const size_t half = kLongestCell / 2;
  return std::string(text.substr(0, half)) + "..." +
         std::string(text.substr(text.size() - half));
}

bool IsWordAt(std::string_view text, size_t i) {
  return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
}

// Whether an `_` that may begin emphasis has one behind it that may end it.
bool IsClosed(std::string_view text, size_t opening) {
  for (size_t i = opening + 1; i < text.size(); ++i) {
    if (text[i] == '_' && !IsWordAt(text, i + 1)) return true;
  }
  return false;
}

// Whether Markdown would take this character for its own. Names are read in terminals
// too, and so none is escaped that means itself anyway: `_` within a word or without a
// second one, `]` that no address follows.
bool MeansSomething(std::string_view text, size_t i) {
  if (text[i] == '_') return (i == 0 || !IsWordAt(text, i - 1)) && IsClosed(text, i);
  if (text[i] == ']') return i + 1 < text.size() && text[i + 1] == '(';
  return std::string_view("\\`*|").find(text[i]) != std::string_view::npos;
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
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

std::string Percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string Milliseconds(double ns) { return fmt::format("{:.3f} ms", ns * 1e-6); }

std::string SignedBytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (std::abs(bytes) >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes)
                   : fmt::format("{:.2f} {}", bytes, kUnits[unit]);
}

std::string Plural(int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace ridgeline::report
