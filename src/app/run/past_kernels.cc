#include "app/run/past_kernels.h"

#include <algorithm>
#include <map>

#include "os/files.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"

namespace ridgeline::app {
namespace {

using Totals = std::map<std::string, pipeline::KernelTime>;

Status AddKernels(const std::filesystem::path& path, Totals& totals) {
  std::map<StringId, pipeline::KernelTime> by_name;
  Result<results::NsysRows> rows =
      profiles::ReadNsysKernels(path, [&by_name](StringId name, int64_t duration_ns) {
        pipeline::KernelTime& kernel = by_name[name];
        ++kernel.launches;
        kernel.time_ns += duration_ns;
      });
  if (!rows.ok()) return std::move(rows).error().While(path.string());
  for (const auto& [id, some] : by_name) {
    const std::string name(rows.value().names.text(id));
    pipeline::KernelTime& all = totals[name];
    all.name = name;
    all.launches += some.launches;
    all.time_ns += some.time_ns;
  }
  return Ok();
}

}  // namespace

Result<std::vector<pipeline::KernelTime>> PastKernels::Kernels() {
  const artifacts::StageRecord* nsys = manifest_.Find("nsys");
  const std::filesystem::path directory = run_dir_.stage("nsys");
  std::vector<pipeline::KernelTime> kernels;
  if (nsys == nullptr || nsys->state != artifacts::State::kDone ||
      !os::IsDirectory(directory)) {
    return kernels;
  }
  Totals totals;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  for (const os::DirectoryEntry& entry : entries) {
    if (!entry.name.starts_with("run") || !entry.name.ends_with(".sqlite")) continue;
    RIDGELINE_RETURN_IF_ERROR(AddKernels(directory / entry.name, totals));
  }
  for (auto& [name, kernel] : totals) kernels.push_back(std::move(kernel));
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.time_ns > b.time_ns; });
  return kernels;
}

}  // namespace ridgeline::app
