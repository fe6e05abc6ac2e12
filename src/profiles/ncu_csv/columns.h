// The header rows of ncu's CSV: which column is what.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/ncu_rows.h"

namespace ridgeline::profiles {

using ColumnIndex = std::optional<size_t>;

struct NcuColumns {
  results::NcuForm form = results::NcuForm::kLong;
  size_t count = 0;
  ColumnIndex id;
  ColumnIndex process_id;
  ColumnIndex process;
  ColumnIndex host;
  ColumnIndex kernel;
  ColumnIndex context;
  ColumnIndex stream;
  ColumnIndex block;
  ColumnIndex grid;
  ColumnIndex device;
  ColumnIndex capability;
  ColumnIndex launches;
  std::vector<size_t> nvtx;
  // Of long files and summaries.
  ColumnIndex section;
  ColumnIndex item;
  ColumnIndex metric;
  ColumnIndex unit;
  ColumnIndex value;  // The mean, in summaries.
  ColumnIndex value_min;
  ColumnIndex value_max;
  ColumnIndex rule;
  ColumnIndex rule_kind;
  ColumnIndex rule_text;
  ColumnIndex speedup_kind;
  ColumnIndex speedup;
  // Of wide files: where the metrics are, with their names.
  std::vector<size_t> wide_metrics;
  std::vector<std::string> names;
};

// Empty for a row that is not a header of ncu.
std::optional<NcuColumns> ColumnsOf(const std::vector<std::string>& fields);

}  // namespace ridgeline::profiles
