// Values of a document for printers and citations, accessed by members of rows.
#pragma once

#include <cassert>
#include <limits>

#include "base/plural.h"
#include "report/document.h"

namespace ridgeline::report {

inline std::string_view NameOf(artifacts::State state) { return ToText(state); }
inline std::string_view NameOf(artifacts::Parity parity) { return ToText(parity); }
inline std::string_view NameOf(artifacts::RankState state) { return ToText(state); }

template <typename T>
inline constexpr bool kIsIfThere = false;
template <typename T>
inline constexpr bool kIsIfThere<IfThere<T>> = true;

template <typename T>
inline constexpr bool kIsOptional = kIsIfThere<T>;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <typename T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <typename T>
inline constexpr bool kIsNumber<std::optional<T>> = kIsNumber<T>;

// Empty for lists and objects.
template <typename T>
Value ToValue(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value ? ToValue(*value) : Value();
  } else if constexpr (std::is_same_v<T, bool>) {
    return value;
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
    return value <= kMax ? Value(static_cast<int64_t>(value))
                         : Value(static_cast<double>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<int64_t>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(NameOf(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(value);
  } else {
    return {};
  }
}

template <typename Row>
std::string LabelOf(const Row& row) {
  if constexpr (requires { row.label(); }) return std::string(row.label());
  return "";
}

// "idle_gap_max_s" -> "gap max"
std::string WordsOfId(std::string_view id);

template <typename Row, typename T>
Cell CellOf(std::optional<size_t> index, const Row& row, T Row::*member) {
  const Field<Row, T> field = FieldOf(member);
  Cell cell = {
      .table = {},
      .row = index,
      .column = std::string(field.id),
      .label = LabelOf(row),
      .source = {},
      .words = field.words.empty() ? WordsOfId(field.id) : std::string(field.words),
      .value = ToValue(row.*member),
      .unit = field.unit};
  if constexpr (requires { Row::kTable; }) cell.table = Row::kTable;
  if constexpr (requires { row.source; }) cell.source = row.source;
  return cell;
}

template <typename Row>
size_t IndexOf(const std::vector<Row>& rows, const Row& row) {
  assert(&row >= rows.data() && &row < rows.data() + rows.size());
  return static_cast<size_t>(&row - rows.data());
}

// A value of a row in a table, or in a table with one row.
template <typename Row, typename T>
Cell Cite(const std::vector<Row>& rows, const Row& row, T Row::*member) {
  Cell cell = CellOf(IndexOf(rows, row), row, member);
  if constexpr (requires { row.LabelAmong(rows); }) cell.label = row.LabelAmong(rows);
  return cell;
}
template <typename Row, typename T>
Cell Cite(const Row& row, T Row::*member) {
  return CellOf(std::nullopt, row, member);
}

// The whole table: used when something is missing in it.
template <typename Row>
Cell CiteAll(const std::vector<Row>& rows) {
  const std::string table(Row::kTable);
  return {.table = Row::kTable,
          .row = std::nullopt,
          .column = "",
          .label = "",
          .source = "",
          .words = WordsOfId(table),
          .value = Plural(rows.size(), "row")};
}

// A value of an object or of a list inside a row: "per_instance/p99_s", "rules/0/text".
inline Cell Within(Cell outer, Cell inner) {
  outer.column +=
      (inner.row ? "/" + std::to_string(*inner.row) : std::string()) + "/" + inner.column;
  if (!inner.label.empty()) outer.label = inner.label;
  outer.words = inner.words;
  outer.value = inner.value;
  outer.unit = inner.unit;
  return outer;
}

}  // namespace ridgeline::report
