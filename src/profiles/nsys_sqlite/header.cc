#include <array>
#include <set>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "profiles/nsys_sqlite/environment.h"
#include "profiles/nsys_sqlite/tables.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::NsysHeader;

// Up to 2023.2 the first, since then the second; in 2020 and 2021 neither.
constexpr std::string_view kMetaTables[] = {"EXPORT_META_DATA", "META_DATA_EXPORT"};

Status ReadVersions(ExportFile& file, NsysHeader& header) {
  constexpr std::array<std::string_view, 2> kColumns = {"name", "value"};
  for (const std::string_view table : kMetaTables) {
    if (!file.HasTable(table)) continue;
    header.meta_table = table;
    RIDGELINE_TRY(RowCursor rows, file.Scan(table, kColumns));
    while (true) {
      RIDGELINE_TRY(const bool has_row, rows.Next());
      if (!has_row) break;
      const auto name = rows.Text(0);
      const auto value = rows.Text(1);
      if (!name || !value) continue;
      if (*name == "EXPORT_PRODUCT_VERSION") {
        header.export_version = ReplaceBrokenUtf8(*value);
      }
      if (*name == "EXPORT_SCHEMA_VERSION") {
        header.schema_version = ReplaceBrokenUtf8(*value);
      }
    }
  }
  return Ok();
}

// Maps devices of processes to GPUs, since 2025.1. `names`: names of the GPUs.
Status ReadCudaDevices(ExportFile& file, const std::map<int64_t, std::string>& names,
                       NsysHeader& header) {
  constexpr std::array<std::string_view, 3> kColumns = {"gpuId", "cudaId", "pid"};
  if (!file.HasTable("TARGET_INFO_CUDA_DEVICE")) return Ok();
  RIDGELINE_TRY(RowCursor rows, file.Scan("TARGET_INFO_CUDA_DEVICE", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return Ok();
    const auto gpu = rows.Integer(0);
    const auto device = rows.Integer(1);
    if (!gpu || !device) continue;
    NsysHeader::Gpu found = {.id = std::to_string(*gpu)};
    const auto name = names.find(*gpu);
    if (name != names.end()) found.name = name->second;
    if (found.name) header.gpu_name_of_device.emplace(*device, *found.name);
    const auto pid = rows.Integer(2);
    if (pid) header.gpu_of_process_device.insert_or_assign({*pid, *device}, found);
  }
}

// The same in 2020.
Status ReadCudaGpus(ExportFile& file, NsysHeader& header) {
  constexpr std::array<std::string_view, 4> kColumns = {"pciBusId", "deviceId", "pid",
                                                        "name"};
  if (!file.HasTable("TARGET_INFO_CUDA_GPU")) return Ok();
  RIDGELINE_TRY(RowCursor rows, file.Scan("TARGET_INFO_CUDA_GPU", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return Ok();
    const auto bus = rows.Text(0);
    const auto device = rows.Integer(1);
    const auto pid = rows.Integer(2);
    if (!bus || bus->empty() || !device || !pid) continue;
    NsysHeader::Gpu gpu = {.id = ReplaceBrokenUtf8(*bus)};
    if (const auto name = rows.Text(3)) gpu.name = ReplaceBrokenUtf8(*name);
    header.gpu_of_process_device.insert_or_assign({*pid, *device}, gpu);
  }
}

Status ReadGpus(ExportFile& file, NsysHeader& header) {
  constexpr std::array<std::string_view, 3> kColumns = {"id", "deviceId", "name"};
  if (!file.HasTable("TARGET_INFO_GPU")) return Ok();
  header.gpu_names.emplace();
  std::map<int64_t, std::string> names;
  RIDGELINE_TRY(RowCursor rows, file.Scan("TARGET_INFO_GPU", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) break;
    const auto name = rows.Text(2);
    if (!name) continue;
    header.gpu_names->push_back(ReplaceBrokenUtf8(*name));
    const auto id = rows.Integer(0) ? rows.Integer(0) : rows.Integer(1);
    if (id) names.emplace(*id, header.gpu_names->back());
  }
  RIDGELINE_RETURN_IF_ERROR(ReadCudaDevices(file, names, header));
  if (header.gpu_of_process_device.empty() && header.gpu_name_of_device.empty()) {
    header.gpu_name_of_device = names;
  }
  return Ok();
}

Status ReadDiagnostics(ExportFile& file, NsysHeader& header) {
  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL; the others are information.
  constexpr int64_t kWarning = 2;
  constexpr int64_t kError = 3;
  constexpr size_t kMaxDiagnostics = 100;
  constexpr std::array<std::string_view, 2> kColumns = {"severity", "text"};
  if (!file.HasTable("DIAGNOSTIC_EVENT")) return Ok();
  std::set<std::string> seen;
  RIDGELINE_TRY(RowCursor rows, file.Scan("DIAGNOSTIC_EVENT", kColumns));
  while (seen.size() < kMaxDiagnostics) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) break;
    const int64_t severity = rows.Integer(0).value_or(0);
    const auto text = rows.Text(1);
    if (!text || (severity != kWarning && severity != kError)) continue;
    // First line only; the rest is advice for the GUI.
    std::string line = ReplaceBrokenUtf8(text->substr(0, text->find_first_of("\r\n")));
    if (seen.insert(line).second) {
      header.diagnostics.push_back({severity == kError, std::move(line)});
    }
  }
  return Ok();
}

}  // namespace

Result<NsysHeader> ReadHeader(ExportFile& file) {
  NsysHeader header;
  header.tables.assign(file.tables().begin(), file.tables().end());
  header.table_count = static_cast<int64_t>(header.tables.size());
  RIDGELINE_RETURN_IF_ERROR(ReadVersions(file, header));
  RIDGELINE_RETURN_IF_ERROR(ReadGpus(file, header));
  RIDGELINE_RETURN_IF_ERROR(ReadCudaGpus(file, header));
  RIDGELINE_RETURN_IF_ERROR(ReadDiagnostics(file, header));
  RIDGELINE_RETURN_IF_ERROR(CountEnvironment(file, header));
  return header;
}

}  // namespace ridgeline::profiles::nsys_sqlite
