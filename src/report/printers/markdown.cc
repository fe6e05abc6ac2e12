#include "report/printers/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/units.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxCell = 160;

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

// Whether HTML may begin at this `<`: "a < b" is text. That of "f<128>" is escaped, too,
// like that of "f<float>" beside it.
bool OpensTag(std::string_view text, size_t i) {
  return i + 1 == text.size() || text[i + 1] != ' ';
}

// Whether this character is special in Markdown here. Names are also read in terminals,
// so others are not escaped: `_` within a word or without a second one, `]` without an
// address after it.
bool MeansSomething(std::string_view text, size_t i) {
  if (text[i] == '_') return (i == 0 || !IsWordAt(text, i - 1)) && IsClosed(text, i);
  if (text[i] == ']') return i + 1 < text.size() && text[i + 1] == '(';
  return std::string_view("\\`*|").find(text[i]) != std::string_view::npos;
}

std::vector<std::string> CellsOf(const std::vector<std::vector<std::string>>& rows,
                                 size_t column) {
  std::vector<std::string> cells;
  for (const std::vector<std::string>& row : rows) {
    cells.push_back(column < row.size() ? row[column] : "");
  }
  return cells;
}

size_t LongestRunOf(char c, std::string_view text) {
  size_t longest = 0;
  size_t run = 0;
  for (const char each : text) {
    run = each == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
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

std::string CodeSpan(std::string_view text) {
  if (text.empty()) return "";
  // A fence longer than any in the text; tables end a cell at `|` even in a code span.
  const std::string fence(LongestRunOf('`', text) + 1, '`');
  const std::string pad = text.starts_with('`') || text.ends_with('`') ? " " : "";
  std::string code = fence + pad;
  for (const char c : text) {
    if (c == '|') code += '\\';
    code += c == '\n' || c == '\r' ? ' ' : c;
  }
  return code + pad + fence;
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
  std::vector<std::string> lines(rows.size(), "|");
  for (size_t column = 0; column < columns.size(); ++column) {
    const bool is_code = columns[column].text == CellText::kCode;
    const std::vector<std::string> cells =
        ShortenedApart(CellsOf(rows, column), kMaxCell);
    for (size_t i = 0; i < rows.size(); ++i) {
      lines[i] += " " + (is_code ? CodeSpan(cells[i]) : Escaped(cells[i])) + " |";
    }
  }
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string RunInTitle(const Document& document) {
  const std::string id = document.run.id.value_or("");
  const bool is_job =
      !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
  return (is_job ? "job " : "") + Escaped(id);
}

std::string ExperimentInTitle(const Document& document) {
  for (const ConfigRow& row : document.config) {
    const bool is_set =
        !row.value.empty() && row.value != "null" && row.value != kDefaultExperiment;
    if (row.key != "experiment" || !is_set) continue;
    return " (" + Escaped(row.value) + ")";
  }
  return "";
}

std::string Percent(double share) { return units::Percent(share); }

std::string Milliseconds(double ns) { return fmt::format("{:.3f} ms", ns * 1e-6); }

std::string SignedBytes(double bytes) { return units::SignedBytes(bytes); }

}  // namespace ridgeline::report
