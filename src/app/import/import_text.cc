#include "app/import/import_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "estimates/scaled.h"

namespace ridgeline::app {
namespace {

using analysis::DurationStats;
using results::DeviceTime;
using results::GpuTotal;
using results::TraceRows;

std::string Time(double ns) {
  const std::string text = estimates::Seconds(std::abs(ns) / 1e9);
  return ns < 0 ? "-" + text : text;
}
std::string Time(int64_t ns) { return Time(static_cast<double>(ns)); }

std::string Share(int64_t part, int64_t whole) {
  if (whole <= 0) return "";
  return fmt::format("{:.1f} %",
                     100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Kernels of templates have thousands of characters. UTF-8 is not cut inside a character.
std::string ShortName(std::string_view name) {
  constexpr size_t kShown = 100;
  if (name.size() <= kShown) return std::string(name);
  size_t end = kShown - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return std::string(name.substr(0, end)) + "...";
}

std::string HeadText(const ImportedTrace& trace) {
  const results::TraceHeader& header = trace.rows.header;
  std::string text =
      fmt::format("{}\n  trace of {}, {} of JSON", trace.file,
                  Counted(trace.rows.counts.events, "event", "events"),
                  estimates::Bytes(analysis::Count(trace.rows.text_bytes)));
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

std::string OperatorsText(const ImportedTrace& trace, size_t top) {
  const std::vector<results::OperatorTotal>& totals = trace.findings.operators;
  if (totals.empty()) return "\nNo operators.\n";
  const auto calls = static_cast<int64_t>(trace.rows.operators.size());
  std::string text = fmt::format(
      "\nOperators: {}, {} different\n{:>10}  {:>10}  {:>8}  name\n",
      Counted(calls, "call", "calls"), totals.size(), "total", "self", "calls");
  for (size_t i = 0; i < std::min(top, totals.size()); ++i) {
    text += fmt::format("{:>10}  {:>10}  {:>8}  {}\n", Time(totals[i].time_total_ns),
                        Time(totals[i].time_self_ns), totals[i].calls,
                        ShortName(trace.rows.names.text(totals[i].name)));
  }
  return text;
}

std::string KernelsText(const ImportedTrace& trace, size_t top) {
  const std::vector<GpuTotal>& totals = trace.findings.kernels_over_devices;
  const std::optional<DurationStats>& duration = trace.findings.kernel_duration;
  if (!duration) return "\nNo kernels.\n";
  std::string text = fmt::format(
      "\nKernels: {}, {} different, {} in total\n{:>10}  {:>8}  {:>8}  {:>10}  name\n",
      Counted(duration->count, "launch", "launches"), totals.size(),
      Time(duration->total_ns), "total", "share", "launches", "mean");
  for (size_t i = 0; i < std::min(top, totals.size()); ++i) {
    const GpuTotal& total = totals[i];
    const double mean_ns =
        static_cast<double>(total.time_total_ns) / static_cast<double>(total.count);
    text += fmt::format("{:>10}  {:>8}  {:>8}  {:>10}  {}\n", Time(total.time_total_ns),
                        Share(total.time_total_ns, duration->total_ns), total.count,
                        Time(mean_ns), ShortName(trace.rows.names.text(total.name)));
  }
  return text;
}

std::string MemoryOpsText(const ImportedTrace& trace) {
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

std::string Line(std::string_view what, int64_t ns, int64_t span_ns,
                 const std::string& remark) {
  std::string line = fmt::format("  {:<18}{:>10}", what, Time(ns));
  if (span_ns > 0) line += fmt::format("  {:>7}", Share(ns, span_ns));
  if (!remark.empty()) line += "  " + remark;
  return line + "\n";
}

// What the rule for communication may have missed, and what began before the trace.
std::string RemarksText(const DeviceTime& time) {
  std::string text;
  if (time.communication_suspected_count > 0) {
    text += fmt::format(
        "  {} ({}) may communicate too, by their names; they count as compute.\n",
        Counted(time.communication_suspected_count, "kernel", "kernels"),
        Time(time.communication_suspected_total_ns));
  }
  const int64_t before = time.activity_count - time.launched_inside_count;
  if (before > 0 && time.launched_inside_count > 0) {
    text += fmt::format(
        "  {} of {} activities have no launch in the trace, which began after it.\n"
        "  Without them: busy {}, idle {} of {}.\n",
        before, time.activity_count, Time(time.launched_inside_busy_ns),
        Time(time.launched_inside_idle_ns), Time(time.launched_inside_span_ns));
  }
  return text;
}

std::string DeviceText(const DeviceTime& time, const TraceRows& rows) {
  const std::string& label = rows.devices[time.device];
  const auto model = rows.header.gpu_name_of_device.find(label);
  const bool has_model = model != rows.header.gpu_name_of_device.end();
  std::string text = fmt::format("\nDevice {}{}: {} on {}\n", label,
                                 has_model ? " (" + model->second + ")" : "",
                                 Counted(time.activity_count, "activity", "activities"),
                                 Counted(time.stream_count, "stream", "streams"));
  text += Line("span", time.span_ns, 0, "");
  text += Line("busy", time.busy_ns, time.span_ns, "");
  text += Line("idle", time.idle_ns, time.span_ns,
               fmt::format("{}, the longest {}", Counted(time.gap_count, "gap", "gaps"),
                           Time(time.gap_max_ns)));
  text += Line("compute", time.compute_ns, time.span_ns, "");
  if (time.communication_count > 0) {
    text += Line("communication", time.communication_ns, time.span_ns,
                 fmt::format("{} with nccl in the name; exposed {}",
                             Counted(time.communication_count, "kernel", "kernels"),
                             Time(time.communication_exposed_ns)));
  }
  if (time.memory_ns > 0) {
    text += Line("copies and fills", time.memory_ns, time.span_ns,
                 "exposed " + Time(time.memory_exposed_ns));
  }
  return text + RemarksText(time);
}

std::string DelayLine(std::string_view what, const DurationStats& stats) {
  return fmt::format("  {:<24}{:>10}  {:>10}  {:>10}  {:>10}\n", what,
                     Time(stats.median_ns), Time(stats.mean_ns), Time(stats.min_ns),
                     Time(stats.max_ns));
}

std::string LaunchText(const analysis::LaunchDelays& launch) {
  if (launch.kernels_matched + launch.kernels_unmatched == 0) return "";
  std::string text = fmt::format("\nLaunch delay, of {} with their runtime calls\n",
                                 Counted(launch.kernels_matched, "kernel", "kernels"));
  if (launch.start_to_start && launch.end_to_start) {
    text += fmt::format("  {:<24}{:>10}  {:>10}  {:>10}  {:>10}\n", "", "median", "mean",
                        "min", "max");
    text += DelayLine("from the call's begin", *launch.start_to_start);
    text += DelayLine("from the call's end", *launch.end_to_start);
  }
  if (launch.kernels_unmatched > 0) {
    text += fmt::format("  {} without a runtime call in the trace.\n",
                        Counted(launch.kernels_unmatched, "kernel is", "kernels are"));
  }
  if (launch.negative_start_to_start > 0) {
    text += fmt::format(
        "  {} before their calls: the clocks of CPU and GPU differ.\n",
        Counted(launch.negative_start_to_start, "kernel began", "kernels began"));
  }
  if (launch.duplicate_correlations > 0) {
    text += fmt::format(
        "  {} a correlation that another had already; the last counts.\n",
        Counted(launch.duplicate_correlations, "runtime call has", "runtime calls have"));
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

std::string LeftOutText(const TraceRows& rows) {
  std::string text;
  for (size_t i = 0; i < results::ImportCounterTexts().size(); ++i) {
    const auto counter = static_cast<results::ImportCounter>(i);
    const int64_t count = rows.left_out.Get(counter);
    if (count == 0) continue;
    text += fmt::format("{:>10}  {}", count, TextOf(counter).sentence);
    if (counter == results::ImportCounter::kCategoryNotRead) {
      text += ": " + CategoriesText(rows.counts.categories_not_read);
    }
    text += '\n';
  }
  return text.empty() ? "" : "\nLeft out\n" + text;
}

}  // namespace

std::string ImportToText(const ImportedTrace& trace, size_t top) {
  std::string text = HeadText(trace);
  text += OperatorsText(trace, top);
  text += KernelsText(trace, top);
  text += MemoryOpsText(trace);
  for (const DeviceTime& time : trace.findings.devices) {
    text += DeviceText(time, trace.rows);
  }
  text += LaunchText(trace.findings.launch);
  return text + LeftOutText(trace.rows);
}

}  // namespace ridgeline::app
