#include "app/import/nsys_file.h"

#include <string_view>
#include <utility>

#include "analysis/gpu_totals.h"
#include "os/file_source.h"
#include "os/files.h"
#include "profiles/ncu_csv/ncu_csv.h"
#include "profiles/ncu_report/ncu_report.h"
#include "profiles/nsys_csv.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"

namespace ridgeline::app {
namespace {

Result<std::string> FirstBytesOf(const std::filesystem::path& path) {
  // Programs may print before ncu writes its table.
  constexpr size_t kFirstBytes = size_t{64} << 10;
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  std::string head(kFirstBytes, '\0');
  size_t used = 0;
  while (used < head.size()) {
    RIDGELINE_TRY(const size_t count, file.Read(std::span(head).subspan(used)));
    if (count == 0) break;
    used += count;
  }
  head.resize(used);
  return head;
}

}  // namespace

Result<ProfileFormat> FormatOf(const std::filesystem::path& path) {
  // A pipe cannot be read twice.
  if (!os::IsRegularFile(path)) return ProfileFormat::kTorchTrace;
  RIDGELINE_TRY(const std::string head, FirstBytesOf(path));
  if (profiles::IsSqlite(head)) return ProfileFormat::kNsysSqlite;
  if (profiles::IsNcuReport(head)) return ProfileFormat::kNcuReport;
  if (profiles::MayBeNsysCsv(head)) return ProfileFormat::kNsysCsv;
  if (profiles::MayBeNcuCsv(head)) return ProfileFormat::kNcuCsv;
  return ProfileFormat::kTorchTrace;
}

Result<ImportedExport> ImportExport(const std::filesystem::path& path) {
  ImportedExport imported = {.file = path.string()};
  RIDGELINE_TRY(imported.file_bytes, os::FileSize(path));
  Result<results::NsysRows> rows = profiles::ReadNsysSqlite(path);
  if (!rows.ok()) return std::move(rows).error().While(path.string());
  imported.rows = std::move(rows).value();
  Result<analysis::NsysFindings> findings = analysis::FindingsOf(imported.rows);
  if (!findings.ok()) return std::move(findings).error().While(path.string());
  imported.findings = std::move(findings).value();
  return imported;
}

Result<ImportedKernels> ImportKernels(const std::filesystem::path& path) {
  analysis::GpuTotalSum sum;
  Result<results::NsysRows> rows =
      profiles::ReadNsysKernels(path, [&](StringId name, int64_t duration_ns) {
        sum.Add({.name = name,
                 .count = 1,
                 .time_total_ns = duration_ns,
                 .time_min_ns = duration_ns,
                 .time_max_ns = duration_ns});
      });
  if (!rows.ok()) return std::move(rows).error().While(path.string());
  ImportedKernels imported = {.file = path.string()};
  imported.kernels = sum.LongestFirst(rows.value().names);
  imported.header = std::move(rows.value().header);
  imported.names = std::move(rows.value().names);
  return imported;
}

Result<ImportedSummary> ImportSummary(const std::filesystem::path& path) {
  ImportedSummary imported = {.file = path.string()};
  RIDGELINE_TRY(imported.file_bytes, os::FileSize(path));
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  Result<results::KernelSummary> summary = profiles::ReadNsysCsv(file);
  if (!summary.ok()) {
    // I/O errors, unlike format errors, include the file name.
    if (summary.error().message().starts_with(path.string())) {
      return std::move(summary).error();
    }
    return std::move(summary).error().While(path.string());
  }
  imported.summary = std::move(summary).value();
  imported.kernels = analysis::SummarizedKernels(imported.summary);
  return imported;
}

}  // namespace ridgeline::app
