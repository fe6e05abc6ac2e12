// Rows of a kernel summary written by another tool.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "results/drop_reason.h"

namespace ridgeline::results {

// One line. A kernel may have several, one per grid and block.
struct KernelSummaryRow {
  StringId name = 0;
  int64_t instances = 0;
  int64_t time_total_ns = 0;
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
  double told_share = 0;  // 0..1, as written: a percentage with one decimal.
};

struct KernelSummary {
  std::vector<std::string> header;  // Names of columns.
  int64_t preamble_lines = 0;       // Before the header.
  std::string time_unit;            // "ns"
  StringPool names;
  std::vector<KernelSummaryRow> rows;
  int64_t graph_total_ns = 0;  // CUDA graphs measured as a whole: kernels without rows.
  DropCounts left_out;
};

}  // namespace ridgeline::results
