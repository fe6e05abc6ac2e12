#include "app/import/ncu_file.h"

#include <utility>

#include "app/import/nsys_file.h"
#include "os/file_source.h"
#include "os/files.h"
#include "profiles/ncu_csv/ncu_csv.h"
#include "profiles/ncu_report/ncu_report.h"

namespace ridgeline::app {

Result<results::NcuRows> ReadNcuFile(const std::filesystem::path& path) {
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  RIDGELINE_TRY(const ProfileFormat format, FormatOf(path));
  Result<results::NcuRows> rows = format == ProfileFormat::kNcuReport
                                      ? profiles::ReadNcuReport(file)
                                      : profiles::ReadNcuCsv(file);
  if (rows.ok()) return rows;
  // I/O errors, unlike format errors, include the file name.
  if (rows.error().message().starts_with(path.string())) return std::move(rows).error();
  return std::move(rows).error().While(path.string());
}

Result<ImportedNcu> ImportNcu(const std::filesystem::path& path,
                              const analysis::NcuQuestion& question) {
  ImportedNcu imported = {.file = path.string()};
  RIDGELINE_TRY(imported.file_bytes, os::FileSize(path));
  RIDGELINE_TRY(imported.rows, ReadNcuFile(path));
  imported.findings = analysis::FindingsOf(imported.rows, question);
  return imported;
}

}  // namespace ridgeline::app
