// From files of ncu to what is found in them.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/ncu_findings.h"
#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::app {

// A CSV page or a report.
struct ImportedNcu {
  std::string file;  // As it was given.
  int64_t file_bytes = 0;
  results::NcuRows rows;
  analysis::NcuFindings findings;
};
Result<ImportedNcu> ImportNcu(const std::filesystem::path& path,
                              const analysis::NcuQuestion& question = {});

// Only its rows.
Result<results::NcuRows> ReadNcuFile(const std::filesystem::path& path);

}  // namespace ridgeline::app
