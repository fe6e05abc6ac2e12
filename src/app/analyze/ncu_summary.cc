#include "app/analyze/ncu_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/plural.h"
#include "base/units.h"
#include "report/printers/plain_table.h"
#include "report/printers/printers.h"
#include "report/sections/sections.h"
#include "report/value_text.h"

namespace ridgeline::app {
namespace {

using analysis::MemoryLevel;
using analysis::NcuFindings;
using analysis::NcuKernel;
using analysis::NcuLaunchFinding;
using analysis::NcuPrecision;

// "fp32, dram: from the counters, at the clocks of the measurement"
std::string OriginText(const analysis::NcuDevice& device, const AnalyzeOptions& options) {
  std::vector<std::string_view> names;
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    if (device.reported.flops_per_s[precision]) names.push_back(NameOf(precision));
  }
  for (const MemoryLevel level : analysis::kMemoryLevels) {
    if (device.reported.Of(level)) names.push_back(NameOf(level));
  }
  std::string text;
  if (!names.empty()) {
    text += fmt::format("  {}: from the counters, at the clocks of the measurement\n",
                        fmt::join(names, ", "));
  }
  if (!device.ceilings.flops_per_s[NcuPrecision::kTensor] && options.gpu.empty()) {
    text += "  tensor: unknown without --gpu or --peak-tflops\n";
  }
  return text;
}

std::string CeilingsText(const analysis::NcuDevice& device,
                         const AnalyzeOptions& options) {
  std::string text = "Ceilings";
  if (!device.name.empty()) text += " of " + device.name;
  text += "\n";
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    const auto& peak = device.ceilings.flops_per_s[precision];
    if (!peak) continue;
    text += fmt::format("  {:<8}{:>14}", NameOf(precision), units::Flops(peak));
    if (const auto ridge = RidgeOf(device.ceilings, precision, MemoryLevel::kDram)) {
      text += fmt::format("   ridge point {} FLOP/byte (DRAM)", units::Ratio(ridge));
    }
    text += "\n";
  }
  for (const MemoryLevel level : analysis::kMemoryLevels) {
    const auto& rate = device.ceilings.Of(level);
    if (rate) text += fmt::format("  {:<8}{:>14}\n", NameOf(level), units::Bytes(rate));
  }
  text += OriginText(device, options);
  if (!device.note.empty()) text += "  " + device.note + "\n";
  return text;
}

// The ridge point used by the rule, by GPU.
std::string RidgesText(const NcuFindings& findings) {
  std::string text;
  for (const analysis::NcuDevice& device : findings.devices) {
    const bool is_named = findings.devices.size() > 1 && !device.name.empty();
    text += fmt::format(
        "  ridge point{}: {}\n", is_named ? " of " + device.name : "",
        device.ridge_flops_per_byte
            ? units::Ratio(device.ridge_flops_per_byte) + " FLOP/byte"
            : "unknown; set --ridge, --gpu, or --peak-tflops and --peak-gbps");
  }
  return text;
}

struct Mean {
  std::string_view title;
  std::optional<double> NcuKernel::*field;
};

constexpr Mean kMeans[] = {
    {"SM", &NcuKernel::sm_percent},         {"Memory", &NcuKernel::memory_percent},
    {"DRAM", &NcuKernel::dram_percent},     {"Occupancy", &NcuKernel::occupancy_percent},
    {"L1 hit", &NcuKernel::l1_hit_percent}, {"L2 hit", &NcuKernel::l2_hit_percent}};

// Mean over the launches of a class (or all) that have the value, weighted by duration,
// like the report. Without durations, all launches have the same weight.
std::string MeanText(const NcuFindings& findings,
                     std::optional<analysis::Bottleneck> kernel_class, const Mean& mean) {
  const bool has_durations = findings.duration_total_ns > 0;
  double sum = 0;
  double weights = 0;
  for (const NcuLaunchFinding& launch : findings.launches) {
    const auto& value = launch.kernel.*mean.field;
    if (!value || (kernel_class && launch.kernel_class != *kernel_class)) continue;
    const double weight = has_durations ? launch.kernel.duration_ns.value_or(0) : 1;
    sum += *value * weight;
    weights += weight;
  }
  return weights > 0 ? units::Percent(sum / weights / 100) : "";
}

// A metric without which a rule gives no class, and the section that has it.
struct Needed {
  std::string_view words;
  std::optional<double> NcuKernel::*field;
};

constexpr Needed kNeeded[] = {{"SM throughput", &NcuKernel::sm_percent},
                              {"memory throughput", &NcuKernel::memory_percent},
                              {"DRAM throughput", &NcuKernel::dram_percent}};

// Of launches without a class, "" if none of the metrics is missing.
std::string WhyUnknownText(const NcuFindings& findings, analysis::BottleneckRule rule) {
  const bool uses_dram = rule == analysis::BottleneckRule::kThroughputGap;
  std::string missing;
  for (const Needed& needed : kNeeded) {
    const auto& unused =
        uses_dram ? &NcuKernel::memory_percent : &NcuKernel::dram_percent;
    if (needed.field == unused) continue;
    const bool is_missing =
        std::any_of(findings.launches.begin(), findings.launches.end(),
                    [&needed](const NcuLaunchFinding& launch) {
                      return launch.kernel_class == analysis::Bottleneck::kUnknown &&
                             !(launch.kernel.*needed.field);
                    });
    if (!is_missing) continue;
    missing += fmt::format("{}{}", missing.empty() ? "" : " and ", needed.words);
  }
  if (missing.empty()) return "";
  return fmt::format(
      "  unknown: {} not measured: profile with ncu --section SpeedOfLight\n", missing);
}

std::string ClassesText(const NcuFindings& findings) {
  std::vector<report::PlainColumn> columns = {
      {{"Class", report::Align::kLeft}, {}}, {{"Launches"}, {}}, {{"Time"}, {}}};
  for (const Mean& mean : kMeans) columns.push_back({{std::string(mean.title)}, {}});
  const auto line = [&](const std::string& name, int64_t launches, double duration_ns,
                        std::optional<analysis::Bottleneck> kernel_class) {
    size_t i = 0;
    columns[i++].cells.push_back(name);
    columns[i++].cells.push_back(WithCommas(launches));
    columns[i++].cells.push_back(duration_ns > 0 ? units::Seconds(duration_ns / 1e9)
                                                 : "not measured");
    for (const Mean& mean : kMeans) {
      columns[i++].cells.push_back(MeanText(findings, kernel_class, mean));
    }
  };
  for (const analysis::ClassCount& count : findings.classes) {
    line(report::ClassText(count.kernel_class), count.launches, count.duration_ns,
         count.kernel_class);
  }
  line("all", static_cast<int64_t>(findings.launches.size()), findings.duration_total_ns,
       {});
  return report::PlainTable(columns);
}

// Launches as rows of a report, by descending duration.
std::vector<report::NcuRow> LongestRows(const runs::NcuDirectory& directory,
                                        const NcuFindings& findings) {
  std::vector<report::NcuRow> rows;
  for (size_t i = 0; i < findings.launches.size(); ++i) {
    rows.push_back(report::NcuRowOf("", directory.rows, directory.rows.launches[i],
                                    findings.launches[i]));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.duration_s.value_or(-1) > b.duration_s.value_or(-1);
  });
  return rows;
}

std::vector<report::DroppedRow> DroppedRows(const runs::NcuDirectory& directory) {
  std::vector<report::DroppedRow> rows;
  for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
    const auto counter = static_cast<results::DropReason>(i);
    const int64_t count = directory.rows.left_out.Get(counter);
    if (count > 0) rows.push_back({"", std::string(TextOf(counter).sentence), count});
  }
  return rows;
}

}  // namespace

std::string NcuSummaryText(const runs::NcuDirectory& directory,
                           const NcuFindings& findings, const AnalyzeOptions& options) {
  const auto launches = static_cast<int64_t>(findings.launches.size());
  std::string text = fmt::format("{}\n  {}, {} total\n\n", options.path,
                                 report::Launches(launches) + " profiled with ncu",
                                 units::Seconds(findings.duration_total_ns / 1e9));
  for (const analysis::NcuDevice& device : findings.devices) {
    text += CeilingsText(device, options);
  }
  text += "\nKernels by duration\n" +
          report::NcuLaunchesText(LongestRows(directory, findings), options.top);
  const size_t shown = std::min(options.top, findings.launches.size());
  if (findings.launches.size() > shown) {
    text += fmt::format("  and {} more\n", findings.launches.size() - shown);
  }
  text += fmt::format("\nClasses (rule: {}), means weighted by duration\n",
                      NameOf(options.rule));
  text += ClassesText(findings);
  text += WhyUnknownText(findings, options.rule);
  if (options.rule == analysis::BottleneckRule::kRidge) text += RidgesText(findings);
  return text + report::DroppedText(DroppedRows(directory));
}

}  // namespace ridgeline::app
