#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/summaries/profile_text.h"
#include "report/summaries/text_parts.h"

namespace ridgeline::summaries {
namespace {

using analysis::GpuWork;
using results::GpuTotal;
using results::RegionTotal;

std::string Bytes(int64_t bytes) { return units::Bytes(Count(bytes)); }

std::string HeadText(const analysis::AnalyzedExport& imported) {
  const results::NsysHeader& header = imported.rows.header;
  std::string text = fmt::format("{}\n  nsys export", imported.info.file);
  if (header.export_version) text += " " + *header.export_version;
  if (header.schema_version) text += fmt::format(" (schema {})", *header.schema_version);
  const auto activities = static_cast<int64_t>(imported.rows.gpu_ops.size());
  const auto ranges = static_cast<int64_t>(imported.rows.nvtx_ranges.size());
  return text + fmt::format(
                    ", {}\n  {}, {}, {}\n", Bytes(imported.info.file_bytes),
                    Counted(activities, "GPU activity", "GPU activities"),
                    Counted(imported.rows.runtime_calls, "runtime call", "runtime calls"),
                    Counted(ranges, "NVTX range", "NVTX ranges"));
}

// Errors first: they tell why something is missing.
std::string DiagnosticsText(const results::NsysHeader& header) {
  constexpr size_t kShown = 8;
  auto sorted = header.diagnostics;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.is_error && !b.is_error;
  });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
    text += fmt::format("  nsys {}: {}\n", sorted[i].is_error ? "error" : "warning",
                        ShortName(sorted[i].text));
  }
  if (sorted.size() > kShown) {
    text += fmt::format("  {} more in --json\n", sorted.size() - kShown);
  }
  return text;
}

std::string GraphsText(const analysis::NsysFindings& findings) {
  if (findings.graph_launches == 0) return "";
  return fmt::format("\nCUDA graphs: {}, {} total; their kernels are not listed above\n",
                     Counted(findings.graph_launches, "launch", "launches"),
                     Time(findings.graph_total_ns));
}

std::string MemoryOpsText(const analysis::AnalyzedExport& imported) {
  const auto& totals = imported.findings.memory_ops_over_devices;
  if (totals.empty()) return "";
  std::string text = fmt::format("\nCopies and fills\n{:>10}  {:>8}  {:>10}  name\n",
                                 "total", "count", "bytes");
  for (const analysis::MemoryOpTotal& op : totals) {
    text += fmt::format("{:>10}  {:>8}  {:>10}  {}\n", Time(op.total.time_total_ns),
                        op.total.count, Bytes(op.total.bytes.value_or(0)),
                        imported.rows.names.text(op.total.name));
  }
  return text;
}

std::string UnattributedLine(const GpuWork& work, std::string_view what) {
  if (work == GpuWork{}) return "";
  return fmt::format("{:>10}  {:>10}  {:>8}  {:>10}  {:>10}  {:>10}  ({})\n",
                     Time(work.gpu_ns), Time(work.gpu_ns), work.launches, "",
                     work.memory_bytes > 0 ? Bytes(work.memory_bytes) : "", "", what);
}

std::string RegionsText(const analysis::RegionFindings& findings, size_t top) {
  const std::vector<RegionTotal>& regions = findings.regions;
  if (regions.empty()) return "";
  std::string text = fmt::format(
      "\nRegions: {} unique, by GPU time of the work launched in them\n"
      "{:>10}  {:>10}  {:>8}  {:>10}  {:>10}  {:>10}  path\n",
      regions.size(), "inclusive", "exclusive", "launches", "gaps", "copied", "CPU time");
  for (size_t i = 0; i < std::min(top, regions.size()); ++i) {
    const RegionTotal& region = regions[i];
    const int64_t bytes = region.memory_inclusive_bytes;
    text += fmt::format(
        "{:>10}  {:>10}  {:>8}  {:>10}  {:>10}  {:>10}  {}\n",
        Time(region.gpu_inclusive_ns), Time(region.gpu_exclusive_ns),
        region.launches_inclusive, region.gpu_gap_ns ? Time(*region.gpu_gap_ns) : "",
        bytes > 0 ? Bytes(bytes) : "", Time(region.cpu_total_ns), ShortName(region.path));
  }
  text += UnattributedLine(findings.outside, "outside all ranges");
  text += UnattributedLine(findings.without_call, "no matching API call");
  return text;
}

std::string DevicesText(const analysis::AnalyzedExport& imported) {
  std::string text;
  for (const analysis::NsysDevice& device : imported.findings.devices) {
    const results::NsysGpu& gpu = imported.rows.devices[device.time.device];
    text += DeviceText(device.time, gpu.label, gpu.model.value_or(""));
  }
  return text;
}

}  // namespace

std::string ToText(const analysis::AnalyzedExport& imported, size_t top) {
  const analysis::NsysFindings& findings = imported.findings;
  std::string text = HeadText(imported) + DiagnosticsText(imported.rows.header);
  text += KernelsText(
      {findings.kernels_over_devices, findings.kernel_duration, imported.rows.names},
      top);
  text += GraphsText(findings);
  text += MemoryOpsText(imported);
  text += RegionsText(findings.regions, top);
  text += DevicesText(imported);
  text += LaunchText(findings.launch);
  return text + LeftOutText(imported.rows.left_out);
}

std::string ToText(const analysis::AnalyzedSummary& imported, size_t top) {
  std::string text = fmt::format(
      "{}\n  nsys stats kernel summary, {}, times in {}\n", imported.info.file,
      Counted(static_cast<int64_t>(imported.rows.rows.size()), "row", "rows"),
      imported.rows.time_unit);
  std::vector<GpuTotal> totals;
  std::optional<analysis::DurationStats> duration;
  for (const analysis::SummarizedKernel& kernel : imported.findings) {
    if (!duration) duration.emplace();
    totals.push_back(kernel.total);
    duration->count += kernel.total.count;
    duration->total_ns += kernel.total.time_total_ns;
  }
  text += KernelsText({totals, duration, imported.rows.names}, top);
  return text + LeftOutText(imported.rows.left_out);
}

std::string SecretsWarning(const profiles::ProfileInfo& info) {
  if (info.environment_values == 0) return "";
  std::string text =
      fmt::format("{} contains {} of the process environment", info.file,
                  Counted(info.environment_values, "variable", "variables"));
  if (info.environment_secrets > 0) {
    text += fmt::format(", {} secret (API_KEY, TOKEN, PASSWORD)",
                        Counted(info.environment_secrets, "looks", "look"));
  }
  return text + "; none were imported. Check before sharing the file";
}

}  // namespace ridgeline::summaries
