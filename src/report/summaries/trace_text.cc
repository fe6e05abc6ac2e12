#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "report/summaries/profile_text.h"
#include "report/summaries/text_parts.h"

namespace ridgeline::summaries {
namespace {

using results::DeviceTime;
using results::GpuTotal;

std::string HeadText(const analysis::AnalyzedTrace& trace) {
  const results::TraceHeader& header = trace.rows.header;
  std::string text = fmt::format("{}\n  PyTorch trace, {}, {} of JSON", trace.info.file,
                                 Counted(trace.rows.counts.events, "event", "events"),
                                 units::Bytes(Count(trace.rows.text_bytes)));
  if (header.rank) text += fmt::format(", rank {}", *header.rank);
  if (header.world_size) text += fmt::format(" of {}", *header.world_size);
  text += '\n';
  const analysis::ProfilerSteps& steps = trace.findings.steps;
  if (steps.duration) {
    text += fmt::format("  {}, median {}\n",
                        Counted(steps.duration->count, "profiler step", "profiler steps"),
                        Time(steps.duration->median_ns));
  }
  return text;
}

std::string OperatorsText(const analysis::AnalyzedTrace& trace, size_t top) {
  const std::vector<results::OperatorTotal>& totals = trace.findings.operators;
  if (totals.empty()) return "\nNo operators.\n";
  const auto calls = static_cast<int64_t>(trace.rows.operators.size());
  std::string text = fmt::format(
      "\nOperators: {}, {} unique\n{:>10}  {:>10}  {:>8}  name\n",
      Counted(calls, "call", "calls"), totals.size(), "total", "self", "calls");
  for (size_t i = 0; i < std::min(top, totals.size()); ++i) {
    text += fmt::format("{:>10}  {:>10}  {:>8}  {}\n", Time(totals[i].time_total_ns),
                        Time(totals[i].time_self_ns), totals[i].calls,
                        ShortName(trace.rows.names.text(totals[i].name)));
  }
  return text;
}

std::string MemoryOpsText(const analysis::AnalyzedTrace& trace) {
  const std::vector<GpuTotal>& totals = trace.findings.memory_ops_over_devices;
  if (totals.empty()) return "";
  std::string text =
      fmt::format("\nCopies and fills\n{:>10}  {:>8}  name\n", "total", "count");
  for (const GpuTotal& total : totals) {
    text += fmt::format("{:>10}  {:>8}  {}\n", Time(total.time_total_ns), total.count,
                        ShortName(trace.rows.names.text(total.name)));
  }
  return text;
}

// "cuda_api 7417, nvtx 786"; the most frequent first.
std::string CategoriesText(const std::map<std::string, int64_t>& categories) {
  constexpr size_t kShown = 8;
  std::vector<std::pair<std::string, int64_t>> sorted(categories.begin(),
                                                      categories.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
    const std::string& name = sorted[i].first;
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", name.empty() ? "(none)" : name,
                        sorted[i].second);
  }
  return text + (sorted.size() > kShown ? ", ..." : "");
}

}  // namespace

std::string ToText(const analysis::AnalyzedTrace& trace, size_t top) {
  std::string text = HeadText(trace);
  text += OperatorsText(trace, top);
  text += KernelsText({trace.findings.kernels_over_devices,
                       trace.findings.kernel_duration, trace.rows.names},
                      top);
  text += MemoryOpsText(trace);
  for (const DeviceTime& time : trace.findings.devices) {
    const std::string& label = trace.rows.devices[time.device];
    const auto model = trace.rows.header.gpu_name_of_device.find(label);
    const bool has_model = model != trace.rows.header.gpu_name_of_device.end();
    text += DeviceText(time, label, has_model ? model->second : "");
  }
  text += LaunchText(trace.findings.launch);
  return text + LeftOutText(trace.rows.left_out,
                            CategoriesText(trace.rows.counts.categories_not_read));
}

std::string ToText(const analysis::AnalyzedProfile& profile, size_t top) {
  return std::visit([top](const auto& known) { return ToText(known, top); }, profile);
}

}  // namespace ridgeline::summaries
