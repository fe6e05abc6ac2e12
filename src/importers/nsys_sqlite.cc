#include "importers/nsys_sqlite.h"

#include <algorithm>
#include <string>
#include <utility>

#include "importers/nsys_sqlite/call_tables.h"
#include "importers/nsys_sqlite/export_file.h"
#include "importers/nsys_sqlite/gpu_tables.h"
#include "importers/nsys_sqlite/header.h"
#include "importers/nsys_sqlite/name_reader.h"
#include "importers/nsys_sqlite/numbering.h"
#include "importers/nsys_sqlite/nvtx_table.h"

namespace ridgeline::importers {
namespace {

using namespace std::string_view_literals;
using nsys_sqlite::ExportFile;

// The least of what every export has.
bool IsExport(const ExportFile& file) {
  if (!file.HasTable("StringIds")) return false;
  return std::any_of(file.tables().begin(), file.tables().end(),
                     [](const std::string& table) {
                       return table.starts_with("TARGET_INFO_") ||
                              table.starts_with("CUPTI_ACTIVITY_KIND_") ||
                              table.starts_with("META_DATA_") || table == "NVTX_EVENTS" ||
                              table == "EXPORT_META_DATA" || table == "OSRT_API";
                     });
}

Error NoExport(const ExportFile& file) {
  std::string tables;
  for (const std::string& table : file.tables()) {
    if (tables.size() > 200) break;
    tables += (tables.empty() ? " " : ", ") + table;
  }
  return {ErrorCode::kParse,
          "is an SQLite database, but no export of nsys; its tables are:" +
              (tables.empty() ? " none" : tables)};
}

}  // namespace

bool IsSqlite(std::string_view first_bytes) {
  return first_bytes.starts_with("SQLite format 3\0"sv);
}

Result<results::NsysRows> ReadNsysSqlite(const std::filesystem::path& path) {
  RIDGELINE_TRY(ExportFile file, ExportFile::Open(path));
  if (!IsExport(file)) return NoExport(file);
  results::NsysRows rows;
  RIDGELINE_TRY(rows.header, nsys_sqlite::ReadHeader(file));
  RIDGELINE_TRY(nsys_sqlite::NameReader names,
                nsys_sqlite::NameReader::Create(file, rows));
  nsys_sqlite::Numbering numbering(rows);
  const nsys_sqlite::Target target = {file, names, numbering, rows};
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadGpuTables(target));
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadCallTables(target));
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadNvtxTable(target));
  // From here on the order of rows says nothing of the order in the file, which is that
  // of time only in some versions.
  const auto is_before = [](const results::NsysGpuOp& a, const results::NsysGpuOp& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns() < b.end_ns();
  };
  if (!std::is_sorted(rows.gpu_ops.begin(), rows.gpu_ops.end(), is_before)) {
    std::sort(rows.gpu_ops.begin(), rows.gpu_ops.end(), is_before);
  }
  return rows;
}

}  // namespace ridgeline::importers
