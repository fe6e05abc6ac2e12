#include "profiles/nsys_sqlite/contents.h"

#include "profiles/nsys_sqlite/export_file.h"

namespace ridgeline::profiles {
namespace {

constexpr const char* kPushPopOrStartEnd = "eventType IN (59, 60)";

struct Counted {
  const char* table;
  const char* where;
  int64_t NsysContents::*field;
};

constexpr Counted kCountedTables[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", "", &NsysContents::kernels},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "", &NsysContents::graphs},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "", &NsysContents::copies},
    {"CUPTI_ACTIVITY_KIND_MEMSET", "", &NsysContents::copies},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "", &NsysContents::cuda_calls},
    {"NVTX_EVENTS", kPushPopOrStartEnd, &NsysContents::nvtx_ranges},
    {"OSRT_API", "", &NsysContents::os_calls},
};

}  // namespace

Result<NsysContents> ContentsOfNsysExport(const std::filesystem::path& path) {
  RIDGELINE_TRY(nsys_sqlite::ExportFile file, nsys_sqlite::OpenExport(path));
  NsysContents contents;
  for (const Counted& counted : kCountedTables) {
    if (!file.HasTable(counted.table)) continue;
    RIDGELINE_TRY(const int64_t rows, file.Count(counted.table, counted.where));
    contents.*counted.field += rows;
  }
  return contents;
}

}  // namespace ridgeline::profiles
