// Tables for a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/printers/markdown.h"

namespace ridgeline::report {

struct PlainColumn {
  Column column;
  std::vector<std::string> cells;  // The same number in each column.
};

// Columns that are empty in all rows are omitted. Cells are truncated in the middle and
// stripped of control characters.
std::string PlainTable(const std::vector<PlainColumn>& columns);

}  // namespace ridgeline::report
