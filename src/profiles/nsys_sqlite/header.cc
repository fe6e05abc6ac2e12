#include <array>
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

// Numbers of CUDA's devices by the numbers of GPUs, where nsys tells them.
Result<std::map<int64_t, int64_t>> CudaDevices(ExportFile& file) {
  constexpr std::array<std::string_view, 2> kColumns = {"gpuId", "cudaId"};
  std::map<int64_t, int64_t> gpu_of_device;
  if (!file.HasTable("TARGET_INFO_CUDA_DEVICE")) return gpu_of_device;
  RIDGELINE_TRY(RowCursor rows, file.Scan("TARGET_INFO_CUDA_DEVICE", kColumns));
  while (true) {
    RIDGELINE_TRY(const bool has_row, rows.Next());
    if (!has_row) return gpu_of_device;
    const auto gpu = rows.Integer(0);
    const auto device = rows.Integer(1);
    if (gpu && device) gpu_of_device.emplace(*device, *gpu);
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
  RIDGELINE_TRY(const auto gpu_of_device, CudaDevices(file));
  if (gpu_of_device.empty()) header.gpu_name_of_device = names;
  for (const auto& [device, gpu] : gpu_of_device) {
    const auto name = names.find(gpu);
    if (name != names.end()) header.gpu_name_of_device.emplace(device, name->second);
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
  RIDGELINE_RETURN_IF_ERROR(CountEnvironment(file, header));
  return header;
}

}  // namespace ridgeline::profiles::nsys_sqlite
