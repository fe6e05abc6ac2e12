// From a file to what is found in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "analysis/trace_findings.h"
#include "base/result.h"
#include "results/trace_rows.h"

namespace ridgeline::app {

struct ImportedTrace {
  std::string file;  // As it was given.
  int64_t file_bytes = 0;
  results::TraceRows rows;
  analysis::TraceFindings findings;
};

// Plain or compressed with gzip, whatever its name is. An error names the file and tells
// what was found instead of a trace.
Result<ImportedTrace> ImportTrace(const std::filesystem::path& path);

// What a file with these first bytes seems to be: "an SQLite database", or text with its
// beginning. For messages only.
std::string DescribeForeign(std::string_view first_bytes);

}  // namespace ridgeline::app
