// Tables for a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/printers/markdown.h"

namespace ridgeline::report {

struct PlainColumn {
  Column column;
  std::vector<std::string> cells;  // As many in each column.
};

// Columns that are empty in all rows are omitted. Cells are truncated in the middle, and
// have no control characters.
std::string PlainTable(const std::vector<PlainColumn>& columns);

}  // namespace ridgeline::report
