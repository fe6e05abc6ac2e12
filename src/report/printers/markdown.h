// Tables for people, in Markdown. Numbers are scaled here and nowhere before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kRight;
};

// Cells may hold anything: what Markdown would take for its own is escaped, and what is
// longer than a line of a table can be is cut in its middle.
std::string Table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows);

// As it stands in running text: `|`, `<`, `*`, `_`, `` ` `` and the like mean themselves.
std::string Escaped(std::string_view text);

std::string Percent(double share);                         // "12.3 %"
std::string Milliseconds(double ns);                       // "12.345 ms"
std::string SignedBytes(double bytes);                     // "-1.5 MB"
std::string Plural(int64_t count, std::string_view word);  // "1 page", "3 pages"

}  // namespace ridgeline::report
