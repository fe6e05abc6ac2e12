#include "app/run/past_kernels.h"

#include <algorithm>
#include <map>

#include "os/files.h"

namespace ridgeline::app {
namespace {

using Totals = std::map<std::string, pipeline::KernelTime>;

void AddKernels(const analysis::AnalyzedProfile& profile, Totals& totals) {
  const StringPool& names = analysis::NamesOf(profile);
  for (const results::GpuTotal& some : analysis::KernelsOf(profile)) {
    const std::string name(names.text(some.name));
    pipeline::KernelTime& all = totals[name];
    all.name = name;
    all.launches += some.count;
    all.time_ns += some.time_total_ns;
  }
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
    const auto& profile = profiles_.Get(directory / entry.name);
    if (!profile.ok()) return profile.error();
    AddKernels(profile.value(), totals);
  }
  for (auto& [name, kernel] : totals) kernels.push_back(std::move(kernel));
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.time_ns > b.time_ns; });
  return kernels;
}

}  // namespace ridgeline::app
