#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/import/import_text.h"
#include "app/import/text_parts.h"
#include "estimates/scaled.h"

namespace ridgeline::app {
namespace {

using analysis::NcuLaunchFinding;

std::string Percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "";
}

// Of everything that was counted, over DRAM.
std::string Intensity(const NcuLaunchFinding& launch) {
  const auto& bytes = launch.kernel.dram_bytes;
  const auto flops = FlopsTotalOf(launch.kernel);
  if (!flops || !bytes || *bytes <= 0) return "";
  // Of tensor cores nobody said that they were idle.
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
      return "raw page of ncu";
    case results::NcuForm::kLong:
      return "details page of ncu";
    case results::NcuForm::kSummary:
      return "summary of ncu";
    case results::NcuForm::kReport:
      return "report of ncu";
  }
  return "";
}

}  // namespace

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
        Intensity(launch), NameOf(launch.kernel_class), launch.identity.library,
        ShortName(launch.identity.name));
  }
  if (order.size() > top) text += fmt::format("  and {} more\n", order.size() - top);
  return text;
}

std::string NcuClassesText(const analysis::NcuFindings& findings) {
  std::string text;
  for (const analysis::ClassCount& count : findings.classes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.launches,
                        NameOf(count.kernel_class));
    if (findings.duration_total_ns > 0) {
      text += fmt::format(" ({:.1f} % of the time)",
                          100 * count.duration_ns / findings.duration_total_ns);
    }
  }
  return text;
}

std::string NcuToText(const ImportedNcu& imported, size_t top) {
  const results::NcuRows& rows = imported.rows;
  const auto launches = static_cast<int64_t>(rows.launches.size());
  int64_t metrics = 0;
  for (const results::NcuLaunch& launch : rows.launches) {
    metrics += static_cast<int64_t>(launch.metrics.size());
  }
  std::string text = fmt::format("{}\n  {}, {}, {}", imported.file, FormText(rows),
                                 Counted(launches, "launch", "launches"),
                                 Counted(metrics, "value", "values"));
  if (!rows.number_style.empty()) {
    text += fmt::format(", numbers as {}", rows.number_style);
  }
  text += "\n";
  if (launches == 0) {
    return text +
           "  it has no launches: a report of metrics alone has an empty details page; "
           "export --page raw\n" +
           LeftOutText(rows.left_out);
  }
  text += "\nKernels, the longest first\n" + NcuTableText(imported.findings, top);
  text += "\nClasses: " + NcuClassesText(imported.findings) + "\n";
  return text + LeftOutText(rows.left_out);
}

}  // namespace ridgeline::app
