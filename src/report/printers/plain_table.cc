#include "report/printers/plain_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxPlainCell = 100;

bool IsEmptyColumn(const PlainColumn& column) {
  return std::all_of(column.cells.begin(), column.cells.end(),
                     [](const std::string& cell) { return cell.empty(); });
}

size_t WidthOf(const PlainColumn& column) {
  size_t width = column.column.title.size();
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

std::string WithoutSpacesAtEnd(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string PlainTable(const std::vector<PlainColumn>& columns) {
  std::vector<std::string> lines;
  for (PlainColumn column : columns) {
    if (IsEmptyColumn(column)) continue;
    column.cells = ShortenedApart(column.cells, kMaxPlainCell);
    const size_t width = WidthOf(column);
    lines.resize(column.cells.size() + 1);
    const auto add = [&](std::string& line, const std::string& text) {
      line += column.column.align == Align::kLeft ? fmt::format("  {:<{}}", text, width)
                                                  : fmt::format("  {:>{}}", text, width);
    };
    add(lines[0], column.column.title);
    for (size_t i = 0; i < column.cells.size(); ++i) add(lines[i + 1], column.cells[i]);
  }
  std::string table;
  for (std::string& line : lines) table += WithoutSpacesAtEnd(std::move(line)) + "\n";
  return table;
}

}  // namespace ridgeline::report
