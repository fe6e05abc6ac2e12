// Columns of tables, defined by members of rows: heading, unit and alignment come from
// the fields of the rows.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "report/cite.h"
#include "report/printers/markdown.h"
#include "report/printers/plain_table.h"
#include "report/value_text.h"

namespace ridgeline::report {

template <typename Row>
struct TextColumn {
  Column column;
  std::function<std::string(const Row&)> text;
};

template <typename Row, typename T>
TextColumn<Row> Show(T Row::*member) {
  const Field<Row, T> field = FieldOf(member);
  return {{std::string(field.title), kIsNumber<T> ? Align::kRight : Align::kLeft},
          [member, unit = field.unit](const Row& row) {
            return TextOf(ToValue(row.*member), unit);
          }};
}

// Low and high end of an interval.
template <typename Row>
TextColumn<Row> Show(std::optional<std::array<double, 2>> Row::*member) {
  const auto field = FieldOf(member);
  return {{std::string(field.title)}, [member, unit = field.unit](const Row& row) {
            const auto& ends = row.*member;
            return ends ? Number((*ends)[0], unit) + " to " + Number((*ends)[1], unit)
                        : std::string();
          }};
}

// "memory-bound"
template <typename Row>
TextColumn<Row> Show(analysis::Bottleneck Row::*member) {
  return {{std::string(FieldOf(member).title), Align::kLeft},
          [member](const Row& row) { return ClassText(row.*member); }};
}

template <typename Row>
TextColumn<Row> AsCode(TextColumn<Row> column) {
  column.column.text = CellText::kCode;
  return column;
}

// Short readable names of kernels.
template <typename Row>
TextColumn<Row> ShowKernel() {
  TextColumn<Row> column = AsCode(Show(&Row::short_name));
  column.text = [](const Row& row) {
    return row.short_name.empty() ? KernelName(row.name) : row.short_name;
  };
  return column;
}

// Whether a table needs a column for the device.
template <typename Row>
bool HasSeveralDevices(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&rows](const Row& row) {
    return row.device != rows.front().device;
  });
}

// A member of an object in the row, which may be missing.
template <typename Row, typename Outer, typename Inner, typename T>
TextColumn<Row> Show(Outer Row::*outer, T Inner::*member) {
  TextColumn<Inner> inner = Show(member);
  return {inner.column, [outer, text = std::move(inner.text)](const Row& row) {
            return row.*outer ? text(*(row.*outer)) : std::string();
          }};
}

template <typename Row>
std::string TableOf(const std::vector<Row>& rows, size_t most,
                    const std::vector<TextColumn<Row>>& columns) {
  std::vector<Column> headings;
  for (const TextColumn<Row>& column : columns) headings.push_back(column.column);
  std::vector<std::vector<std::string>> cells;
  for (size_t i = 0; i < std::min(most, rows.size()); ++i) {
    std::vector<std::string>& line = cells.emplace_back();
    for (const TextColumn<Row>& column : columns) line.push_back(column.text(rows[i]));
  }
  return Table(headings, cells);
}

// The same for a terminal, without columns that are empty in all rows.
template <typename Row>
std::string PlainTableOf(const std::vector<Row>& rows, size_t most,
                         const std::vector<TextColumn<Row>>& columns) {
  std::vector<PlainColumn> texts;
  for (const TextColumn<Row>& column : columns) {
    PlainColumn& text = texts.emplace_back(PlainColumn{column.column, {}});
    for (size_t i = 0; i < std::min(most, rows.size()); ++i) {
      text.cells.push_back(column.text(rows[i]));
    }
  }
  return PlainTable(texts);
}

}  // namespace ridgeline::report
