#include "tests/ncu/report_files.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "tests/reference/imported.h"

namespace ridgeline::ncu_cases {
namespace {

namespace fs = std::filesystem;
using reference::Comparison;
using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRows;

// Which page was made of which report.
const std::map<std::string, std::string>& Pages() {
  static const std::map<std::string, std::string> pages = {
      {"rtx2080ti_2022.3.ncu-rep", "rtx2080ti_2022.3/ncu2022.3_raw_base.csv"},
      {"rtx2060mq_2024.3_TOO_NEW_for_2022.3.ncu-rep",
       "rtx2060mq_hyperspec_2024.3/ncu2024.1_raw.csv"}};
  return pages;
}

const NcuMetric* Find(const NcuRows& rows, const NcuLaunch& launch,
                      std::string_view name) {
  const auto found =
      std::find_if(launch.metrics.begin(), launch.metrics.end(),
                   [&](const NcuMetric& m) { return rows.names.text(m.name) == name; });
  return found == launch.metrics.end() ? nullptr : &*found;
}

// Pages round: to two decimals in base units, to six of a larger unit.
bool IsRounded(double exact, double shown) {
  constexpr double kHalfOfLastDigit = 0.00501;
  return std::abs(exact - shown) <=
         kHalfOfLastDigit + 1e-6 * std::max(std::abs(exact), std::abs(shown));
}

void CompareMetric(const NcuRows& report, const NcuLaunch& launch, const NcuRows& page,
                   const NcuMetric& shown, Comparison& comparison) {
  const std::string name(page.names.text(shown.name));
  const NcuMetric* const exact = Find(report, launch, name);
  // Derived metrics are computed while the page is written.
  if (exact == nullptr || !shown.value) return;
  ++comparison.checks;
  if (!exact->value) {
    comparison.wrong.push_back(name + ": has no value");
    return;
  }
  if (!IsRounded(*exact->value, *shown.value)) {
    comparison.wrong.push_back(name + ": " + std::to_string(*exact->value) +
                               " instead of " + std::to_string(*shown.value));
  }
  // Where we do not know a unit, we have none.
  const std::string_view unit = report.names.text(exact->unit);
  if (!unit.empty() && unit != page.names.text(shown.unit)) {
    comparison.wrong.push_back(name + ": in " + std::string(unit) + " instead of " +
                               std::string(page.names.text(shown.unit)));
  }
}

Comparison ComparePage(const NcuRows& report, const NcuRows& page) {
  Comparison comparison = {.checks = 1};
  if (report.launches.size() != page.launches.size()) {
    comparison.wrong.push_back(std::to_string(report.launches.size()) +
                               " launches instead of " +
                               std::to_string(page.launches.size()));
    return comparison;
  }
  for (size_t i = 0; i < page.launches.size(); ++i) {
    const NcuLaunch& launch = report.launches[i];
    const NcuLaunch& shown = page.launches[i];
    const auto check = [&](bool is_equal, const char* what) {
      ++comparison.checks;
      if (!is_equal) comparison.wrong.push_back(std::string(what) + " differs");
    };
    check(launch.id == shown.id, "id");
    check(launch.process_id == shown.process_id, "process");
    check(launch.grid == shown.grid, "grid");
    check(launch.block == shown.block, "block");
    check(report.names.text(launch.kernel) == page.names.text(shown.kernel), "kernel");
    for (const NcuMetric& metric : shown.metrics) {
      CompareMetric(report, launch, page, metric, comparison);
    }
  }
  return comparison;
}

Comparison CheckReport(const fs::path& path, const fs::path& page_path) {
  const auto report = reference::Imported<analysis::AnalyzedNcu>(path);
  if (!report.ok()) return {.wrong = {report.error().message()}};
  if (!fs::exists(page_path) || fs::is_directory(page_path)) {
    if (report.value().rows.launches.empty()) return {.wrong = {"has no launches"}};
    return {.checks = 1};
  }
  const auto page = reference::Imported<analysis::AnalyzedNcu>(page_path);
  if (!page.ok()) return {.wrong = {page.error().message()}};
  return ComparePage(report.value().rows, page.value().rows);
}

}  // namespace

std::vector<NamedComparison> CheckReports(const fs::path& folder) {
  std::vector<NamedComparison> comparisons;
  if (!fs::exists(folder / "ncu_rep")) return comparisons;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "ncu_rep")) {
    const std::string name = entry.path().filename();
    const auto page = Pages().find(name);
    const fs::path page_path =
        folder / "ncu_csv" / (page == Pages().end() ? "" : page->second);
    comparisons.push_back({"ncu_rep/" + name, CheckReport(entry.path(), page_path)});
  }
  return comparisons;
}

}  // namespace ridgeline::ncu_cases
