#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/units.h"
#include "report/summaries/profile_text.h"
#include "report/summaries/text_parts.h"

namespace ridgeline::summaries {
namespace {

using analysis::NcuLaunchFinding;

std::string Percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "";
}

// Arithmetic intensity: all counted FLOPs over DRAM bytes.
std::string Intensity(const NcuLaunchFinding& launch) {
  const auto& bytes = launch.kernel.dram_bytes;
  const auto flops = FlopsTotalOf(launch.kernel);
  if (!flops || !bytes || *bytes <= 0) return "";
  // Tensor-core FLOPs were not counted.
  const bool may_be_more = !launch.kernel.flops[analysis::NcuPrecision::kTensor];
  if (*flops == 0 && may_be_more) return "";
  return fmt::format("{:.1f}", *flops / *bytes);
}

std::vector<size_t> LongestFirst(const analysis::NcuFindings& findings) {
  std::vector<size_t> order(findings.launches.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return findings.launches[a].kernel.duration_ns.value_or(-1) >
           findings.launches[b].kernel.duration_ns.value_or(-1);
  });
  return order;
}

std::string FormText(const results::NcuRows& rows) {
  switch (rows.form) {
    case results::NcuForm::kWide:
      return "ncu raw page";
    case results::NcuForm::kLong:
      return "ncu details page";
    case results::NcuForm::kSummary:
      return "ncu summary";
    case results::NcuForm::kReport:
      return "ncu report";
  }
  return "";
}

}  // namespace

std::string ClassText(analysis::NcuClass kernel_class) {
  std::string text(NameOf(kernel_class));
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string NcuTableText(const analysis::NcuFindings& findings, size_t top) {
  std::string text = fmt::format(
      "{:>10}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {:>10}  {:<13}  {:<14}  kernel\n",
      "time", "SM %", "mem %", "DRAM %", "occ %", "L2 hit", "FLOP/byte", "class",
      "library");
  const std::vector<size_t> order = LongestFirst(findings);
  for (size_t i = 0; i < std::min(top, order.size()); ++i) {
    const NcuLaunchFinding& launch = findings.launches[order[i]];
    const analysis::NcuKernel& kernel = launch.kernel;
    text += fmt::format(
        "{:>10}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {:>10}  {:<13}  {:<14}  {}\n",
        kernel.duration_ns ? Time(*kernel.duration_ns) : "", Percent(kernel.sm_percent),
        Percent(kernel.memory_percent), Percent(kernel.dram_percent),
        Percent(kernel.occupancy_percent), Percent(kernel.l2_hit_percent),
        Intensity(launch), ClassText(launch.kernel_class), launch.identity.library,
        ShortName(launch.identity.name));
  }
  if (order.size() > top) text += fmt::format("  and {} more\n", order.size() - top);
  return text;
}

std::string NcuClassesText(const analysis::NcuFindings& findings) {
  std::string text;
  for (const analysis::ClassCount& count : findings.classes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.launches,
                        ClassText(count.kernel_class));
    if (findings.duration_total_ns > 0) {
      text += fmt::format(" ({} of the time)",
                          units::Percent(count.duration_ns / findings.duration_total_ns));
    }
  }
  return text;
}

std::string ToText(const analysis::AnalyzedNcu& imported, size_t top) {
  const results::NcuRows& rows = imported.rows;
  const auto launches = static_cast<int64_t>(rows.launches.size());
  int64_t metrics = 0;
  for (const results::NcuLaunch& launch : rows.launches) {
    metrics += static_cast<int64_t>(launch.metrics.size());
  }
  std::string text = fmt::format("{}\n  {}, {}, {}", imported.info.file, FormText(rows),
                                 Counted(launches, "launch", "launches"),
                                 Counted(metrics, "value", "values"));
  if (!rows.number_style.empty()) {
    text += fmt::format(", number format {}", rows.number_style);
  }
  text += "\n";
  if (launches == 0) {
    return text +
           "  no launches: reports that contain only metrics have an empty details page; "
           "export --page raw\n" +
           LeftOutText(rows.left_out);
  }
  text += "\nKernels by duration\n" + NcuTableText(imported.findings, top);
  text += "\nClasses: " + NcuClassesText(imported.findings) + "\n";
  return text + LeftOutText(rows.left_out);
}

}  // namespace ridgeline::summaries
