#include "report/summaries/text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/utf8.h"

namespace ridgeline::summaries {
namespace {

using analysis::DurationStats;
using results::DeviceTime;
using results::GpuTotal;

std::string Line(std::string_view what, int64_t ns, int64_t span_ns,
                 const std::string& remark) {
  std::string line = fmt::format("  {:<18}{:>10}", what, Time(ns));
  if (span_ns > 0) line += fmt::format("  {:>7}", Share(ns, span_ns));
  if (!remark.empty()) line += "  " + remark;
  return line + "\n";
}

// Suspected communication, and activities without a matching API call.
std::string RemarksText(const DeviceTime& time) {
  std::string text;
  if (time.communication_suspected_count > 0) {
    text += fmt::format(
        "  {} ({}) may be communication, judging by name; counted as compute.\n",
        Counted(time.communication_suspected_count, "kernel", "kernels"),
        Time(time.communication_suspected_total_ns));
  }
  const int64_t before = time.activity_count - time.launched_inside_count;
  if (before > 0 && time.launched_inside_count > 0) {
    text += fmt::format(
        "  {} of {} activities have no matching API call: launched before the capture or "
        "by the driver.\n"
        "  Without them: busy {}, idle {} of {}.\n",
        before, time.activity_count, Time(time.launched_inside_busy_ns),
        Time(time.launched_inside_idle_ns), Time(time.launched_inside_span_ns));
  }
  return text;
}

std::string DelayLine(std::string_view what, const DurationStats& stats) {
  return fmt::format("  {:<24}{:>10}  {:>10}  {:>10}  {:>10}\n", what,
                     Time(stats.median_ns), Time(stats.mean_ns), Time(stats.min_ns),
                     Time(stats.max_ns));
}

}  // namespace

std::string Time(double ns) {
  const std::string text = units::Seconds(std::abs(ns) / 1e9);
  return ns < 0 ? "-" + text : text;
}
std::string Time(int64_t ns) { return Time(static_cast<double>(ns)); }

std::string Share(int64_t part, int64_t whole) {
  if (whole <= 0) return "";
  return units::Percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string ShortName(std::string_view name) {
  constexpr size_t kShown = 100;
  if (name.size() <= kShown) return std::string(name);
  return std::string(HeadOf(name, kShown - 3)) + "...";
}

std::string KernelsText(const KernelList& kernels, size_t top) {
  const std::vector<GpuTotal>& totals = kernels.totals;
  const std::optional<DurationStats>& duration = kernels.duration;
  if (!duration) return "\nNo kernels.\n";
  std::string text = fmt::format(
      "\nKernels: {}, {} unique, {} total\n{:>10}  {:>8}  {:>8}  {:>10}  name\n",
      Counted(duration->count, "launch", "launches"), totals.size(),
      Time(duration->total_ns), "total", "share", "launches", "mean");
  for (size_t i = 0; i < std::min(top, totals.size()); ++i) {
    const GpuTotal& total = totals[i];
    const double mean_ns =
        static_cast<double>(total.time_total_ns) / static_cast<double>(total.count);
    text += fmt::format("{:>10}  {:>8}  {:>8}  {:>10}  {}\n", Time(total.time_total_ns),
                        Share(total.time_total_ns, duration->total_ns), total.count,
                        Time(mean_ns), ShortName(kernels.names.text(total.name)));
  }
  return text;
}

std::string DeviceText(const DeviceTime& time, const std::string& label,
                       const std::string& model) {
  std::string text = fmt::format("\nDevice {}{}: {} on {}\n", label,
                                 model.empty() ? "" : " (" + model + ")",
                                 Counted(time.activity_count, "activity", "activities"),
                                 Counted(time.stream_count, "stream", "streams"));
  text += Line("span", time.span_ns, 0, "");
  text += Line("busy", time.busy_ns, time.span_ns, "");
  text += Line("idle", time.idle_ns, time.span_ns,
               fmt::format("{}, longest {}", Counted(time.gap_count, "gap", "gaps"),
                           Time(time.gap_max_ns)));
  text += Line("compute", time.compute_ns, time.span_ns, "");
  if (time.communication_count > 0) {
    text += Line("communication", time.communication_ns, time.span_ns,
                 fmt::format("{} (name contains nccl); exposed {}",
                             Counted(time.communication_count, "kernel", "kernels"),
                             Time(time.communication_exposed_ns)));
  }
  if (time.graph_count > 0) {
    text += Line("graphs", time.graph_total_ns, time.span_ns,
                 fmt::format("{}, captured as a whole",
                             Counted(time.graph_count, "launch", "launches")));
  }
  if (time.memory_ns > 0) {
    text += Line("copies and fills", time.memory_ns, time.span_ns,
                 "exposed " + Time(time.memory_exposed_ns));
  }
  return text + RemarksText(time);
}

std::string LaunchText(const analysis::LaunchDelays& launch) {
  if (launch.kernels_matched + launch.kernels_unmatched == 0) return "";
  std::string text = fmt::format("\nLaunch latency of {} with a matching API call\n",
                                 Counted(launch.kernels_matched, "kernel", "kernels"));
  if (launch.start_to_start && launch.end_to_start) {
    text += fmt::format("  {:<24}{:>10}  {:>10}  {:>10}  {:>10}\n", "", "median", "mean",
                        "min", "max");
    text += DelayLine("from API call start", *launch.start_to_start);
    text += DelayLine("from API call end", *launch.end_to_start);
  }
  if (launch.kernels_unmatched > 0) {
    text += fmt::format("  {} no matching API call.\n",
                        Counted(launch.kernels_unmatched, "kernel has", "kernels have"));
  }
  if (launch.negative_start_to_start > 0) {
    text += fmt::format(
        "  {} before the API call: CPU and GPU clocks differ.\n",
        Counted(launch.negative_start_to_start, "kernel started", "kernels started"));
  }
  if (launch.duplicate_correlations > 0) {
    text += fmt::format("  {} a correlation id; the last call counts.\n",
                        Counted(launch.duplicate_correlations, "runtime call reuses",
                                "runtime calls reuse"));
  }
  return text;
}

std::string LeftOutText(const results::ImportCounts& left_out,
                        const std::string& categories_not_read) {
  std::string text;
  for (size_t i = 0; i < results::ImportCounterTexts().size(); ++i) {
    const auto counter = static_cast<results::ImportCounter>(i);
    const int64_t count = left_out.Get(counter);
    if (count == 0) continue;
    text += fmt::format("{:>10}  {}", count, TextOf(counter).sentence);
    if (counter == results::ImportCounter::kCategoryNotRead) {
      text += ": " + categories_not_read;
    }
    text += '\n';
  }
  return text.empty() ? "" : "\nDropped records\n" + text;
}

}  // namespace ridgeline::summaries
