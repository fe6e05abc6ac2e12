// Header rows of ncu's CSV: meaning of columns.
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
  // In long files and summaries.
  ColumnIndex section;
  ColumnIndex item;
  ColumnIndex metric;
  ColumnIndex unit;
  ColumnIndex value;  // In summaries the mean.
  ColumnIndex value_min;
  ColumnIndex value_max;
  ColumnIndex rule;
  ColumnIndex rule_kind;
  ColumnIndex rule_text;
  ColumnIndex speedup_kind;
  ColumnIndex speedup;
  // In wide files: the columns of metrics, with their names.
  std::vector<size_t> wide_metrics;
  std::vector<std::string> names;
};

// nullopt for a row that is not a header of ncu.
std::optional<NcuColumns> ColumnsOf(const std::vector<std::string>& fields);

}  // namespace ridgeline::profiles
