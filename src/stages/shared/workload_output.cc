#include "stages/shared/workload_output.h"

#include <algorithm>

#include "os/files.h"
#include "os/owned_directory.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;

// Input and by-products of the workload, in its scratch directory.
constexpr std::string_view kNotOutput[] = {"config.yaml", "progress", "private",
                                           "nvtx_events"};

Status LinkFiles(const fs::path& from, const fs::path& to,
                 const os::OwnedDirectory& owned) {
  RIDGELINE_TRY(const auto entries, os::ListDirectory(from));
  for (const os::DirectoryEntry& entry : entries) {
    if (std::find(std::begin(kNotOutput), std::end(kNotOutput), entry.name) !=
        std::end(kNotOutput)) {
      continue;
    }
    const fs::path link = to / entry.name;
    if (entry.kind == os::FileKind::kDirectory) {
      RIDGELINE_RETURN_IF_ERROR(LinkFiles(from / entry.name, link, owned));
      continue;
    }
    RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(to));
    RIDGELINE_RETURN_IF_ERROR(owned.Remove(link));
    RIDGELINE_RETURN_IF_ERROR(
        os::MakeLink((from / entry.name).lexically_relative(to), link));
  }
  return Ok();
}

}  // namespace

Status LinkWorkloadOutput(const pipeline::StagePlace& place) {
  if (!place.workload.IsModel()) return Ok();
  const fs::path workloads = place.workload_scratch.parent_path();
  return LinkFiles(place.workload_scratch, workloads / "torch_profiler",
                   os::OwnedDirectory(workloads));
}

}  // namespace ridgeline::stages
