// Fields of rows: each row type of a document lists its fields once, with the key, the
// heading and the unit of each. Printers and citations use that list; values are never
// looked up by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridgeline::report {

using Texts = std::vector<std::string>;
using OptionalText = std::optional<std::string>;
using OptionalNumber = std::optional<double>;
using OptionalInteger = std::optional<int64_t>;

// How printers show a number. Values are in base units.
enum class Unit : uint8_t {
  kNone,  // Integers in full, others with three digits.
  kSeconds,
  kBytes,
  kBytesPerS,
  kFlops,
  kFlopsPerS,
  kFraction,  // 0..1, shown as "12 %".
  kPercent,   // 0..100, shown as "12 %".
  kFactor,    // "1.20x"
};

template <typename Row, typename T>
struct Field {
  std::string_view id;     // Key in JSON, column in CSV.
  std::string_view title;  // Heading of a column.
  T Row::*member;
  Unit unit = Unit::kNone;
  std::string_view words = {};  // In a sentence; empty: the id without its unit.
};

template <typename Row, typename T>
Field(const char*, const char*, T Row::*) -> Field<Row, T>;
template <typename Row, typename T>
Field(const char*, const char*, T Row::*, Unit) -> Field<Row, T>;
template <typename Row, typename T>
Field(const char*, const char*, T Row::*, Unit, const char*) -> Field<Row, T>;

template <typename Row>
concept HasFields = requires {
  Row::Fields([](const auto&...) {});
};

// Omitted from an object, key included, if empty; std::optional becomes null instead.
template <typename T>
struct IfThere : std::optional<T> {
  using std::optional<T>::optional;
};

// JSON of another file, kept as text: only the JSON printer parses it. Empty: null.
struct JsonText {
  std::string text;
};

template <typename Row, typename Visit>
constexpr void ForEachField(Visit&& visit) {
  Row::Fields([&visit](const auto&... field) { (visit(field), ...); });
}

// The field of a member; every member that is printed or cited has one.
template <typename Row, typename T>
constexpr Field<Row, T> FieldOf(T Row::*member) {
  std::optional<Field<Row, T>> found;
  ForEachField<Row>([&](const auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Field<Row, T>>) {
      if (field.member == member) found = field;
    }
  });
  return found.value();
}

}  // namespace ridgeline::report
