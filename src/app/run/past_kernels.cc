#include "app/run/past_kernels.h"

#include <algorithm>
#include <map>

#include "base/glob.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using Totals = std::map<std::string, pipeline::KernelTime>;

void AddKernel(std::string_view name, int64_t launches, int64_t time_ns, Totals& totals) {
  pipeline::KernelTime& all = totals[std::string(name)];
  all.name = name;
  all.launches += launches;
  all.time_ns += time_ns;
}

void AddKernels(const analysis::AnalyzedProfile& profile, Totals& totals) {
  const StringPool& names = analysis::NamesOf(profile);
  for (const results::GpuTotal& some : analysis::KernelsOf(profile)) {
    AddKernel(names.text(some.name), some.count, some.time_total_ns, totals);
  }
}

// Whether a region or one of its ancestors has one of these names: "decode" for
// "page/decode". Domains other than the default one are a prefix with a colon.
bool IsIn(std::string_view path, const std::vector<std::string>& ranges) {
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    const std::string_view plain = name.substr(name.find(':') + 1);  // npos + 1 is 0.
    for (const std::string& range : ranges) {
      if (GlobMatches(name, range) || GlobMatches(plain, range)) return true;
    }
    path.remove_prefix(std::min(name.size() + 1, path.size()));
  }
  return false;
}

void AddKernelsIn(const std::vector<std::string>& ranges,
                  const analysis::AnalyzedProfile& profile, Totals& totals) {
  const auto* exported = std::get_if<analysis::AnalyzedExport>(&profile);
  if (exported == nullptr) return;
  const results::NsysRows& rows = exported->rows;
  const analysis::RegionFindings& found = exported->findings.regions;
  std::vector<bool> is_wanted;
  for (const results::RegionTotal& region : found.regions) {
    is_wanted.push_back(IsIn(region.path, ranges));
  }
  size_t index = 0;
  for (const results::NsysGpuOp& op : rows.gpu_ops) {
    const uint32_t region = found.region_of_op[index++];
    if (op.kind != results::GpuActivityKind::kKernel || region == results::kNone ||
        !is_wanted[region]) {
      continue;
    }
    AddKernel(rows.names.text(rows.kernel_shapes[op.detail].name), 1, op.duration_ns,
              totals);
  }
}

}  // namespace

Result<std::vector<pipeline::KernelTime>> PastKernels::Kernels(
    const std::vector<std::string>& ranges) {
  const artifacts::StageRecord* nsys = manifest_.Find("nsys");
  const std::filesystem::path directory = run_dir_.stage("nsys");
  std::vector<pipeline::KernelTime> kernels;
  if (nsys == nullptr || nsys->state != artifacts::State::kDone ||
      !os::IsDirectory(directory)) {
    return kernels;
  }
  Totals all;
  Totals inside;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  for (const os::DirectoryEntry& entry : entries) {
    if (!entry.name.starts_with("run") || !entry.name.ends_with(".sqlite")) continue;
    const auto& profile = profiles_.Get(directory / entry.name);
    if (!profile.ok()) return profile.error();
    AddKernels(profile.value(), all);
    AddKernelsIn(ranges, profile.value(), inside);
  }
  for (auto& [name, kernel] : inside.empty() ? all : inside)
    kernels.push_back(std::move(kernel));
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.time_ns > b.time_ns; });
  return kernels;
}

}  // namespace ridgeline::app
