#include "profiles/nsys_sqlite/nsys_sqlite.h"

#include <string>
#include <utility>

#include "profiles/nsys_sqlite/export_file.h"
#include "profiles/nsys_sqlite/launch_join.h"
#include "profiles/nsys_sqlite/name_reader.h"
#include "profiles/nsys_sqlite/numbering.h"
#include "profiles/nsys_sqlite/tables.h"

namespace ridgeline::profiles {
namespace {

using namespace std::string_view_literals;
using nsys_sqlite::ExportFile;

}  // namespace

bool IsSqlite(std::string_view first_bytes) {
  return first_bytes.starts_with("SQLite format 3\0"sv);
}

Result<results::NsysRows> ReadNsysKernels(
    const std::filesystem::path& path,
    const std::function<void(std::optional<StringId>, int64_t duration_ns)>& visit) {
  RIDGELINE_TRY(ExportFile file, nsys_sqlite::OpenExport(path));
  results::NsysRows rows;
  RIDGELINE_TRY(rows.header, nsys_sqlite::ReadHeader(file));
  RIDGELINE_TRY(nsys_sqlite::NameReader names,
                nsys_sqlite::NameReader::Create(file, rows));
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::VisitKernels(file, names, rows, visit));
  return rows;
}

Result<results::NsysRows> ReadNsysSqlite(const std::filesystem::path& path) {
  RIDGELINE_TRY(ExportFile file, nsys_sqlite::OpenExport(path));
  results::NsysRows rows;
  RIDGELINE_TRY(rows.header, nsys_sqlite::ReadHeader(file));
  RIDGELINE_TRY(nsys_sqlite::NameReader names,
                nsys_sqlite::NameReader::Create(file, rows));
  nsys_sqlite::Numbering numbering(rows);
  nsys_sqlite::LaunchJoin launches(rows);
  const nsys_sqlite::Target target = {file, names, numbering, launches, rows};
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadGpuTables(target));
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadCallTables(target));
  rows.duplicate_correlations = launches.duplicate_calls();
  // From here on, rows are no longer in file order, which is by time only in some
  // versions.
  rows.gpu_ops = std::move(launches).Finish();
  RIDGELINE_RETURN_IF_ERROR(nsys_sqlite::ReadNvtxTable(target));
  return rows;
}

}  // namespace ridgeline::profiles
