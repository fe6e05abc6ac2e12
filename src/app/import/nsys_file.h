// From files of nsys to what is found in them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/gpu_totals.h"
#include "analysis/nsys_findings.h"
#include "base/result.h"
#include "results/kernel_summary.h"
#include "results/nsys_rows.h"

namespace ridgeline::app {

enum class ProfileFormat { kTorchTrace, kNsysSqlite, kNsysCsv, kNcuCsv, kNcuReport };

// By the first bytes, whatever the file is called. What is none of them counts as a
// trace, whose reader tells what it found instead.
Result<ProfileFormat> FormatOf(const std::filesystem::path& path);

// An SQLite export.
struct ImportedExport {
  std::string file;  // As it was given.
  int64_t file_bytes = 0;
  results::NsysRows rows;
  analysis::NsysFindings findings;
};
Result<ImportedExport> ImportExport(const std::filesystem::path& path);

// Only the kernels of an SQLite export, which takes a fraction of the time.
struct ImportedKernels {
  std::string file;
  results::NsysHeader header;
  StringPool names;
  std::vector<results::GpuTotal> kernels;  // Over all devices, the longest first.
};
Result<ImportedKernels> ImportKernels(const std::filesystem::path& path);

// A kernel summary of `nsys stats`.
struct ImportedSummary {
  std::string file;
  int64_t file_bytes = 0;
  results::KernelSummary summary;
  std::vector<analysis::SummarizedKernel> kernels;
};
Result<ImportedSummary> ImportSummary(const std::filesystem::path& path);

}  // namespace ridgeline::app
