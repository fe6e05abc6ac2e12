#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using analysis::NcuLaunchFinding;

constexpr size_t kMostLaunches = 100;

std::optional<std::string> ShapeText(const std::optional<results::NcuShape>& shape) {
  if (!shape) return std::nullopt;
  const auto& [x, y, z] = *shape;
  return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z);
}

std::vector<NcuRuleRow> RulesOf(const NcuFacts& ncu, const results::NcuLaunch& launch) {
  std::vector<NcuRuleRow> rules;
  for (const results::NcuRule& rule : launch.rules) {
    rules.push_back({.kind = std::string(ncu.rows.names.text(rule.kind)),
                     .text = CutText(ncu.rows.names.text(rule.text)),
                     .speedup_percent = rule.speedup_percent});
  }
  return rules;
}

NcuRow LaunchOf(const NcuFacts& ncu, size_t i) {
  const results::NcuLaunch& row = ncu.rows.launches[i];
  const NcuLaunchFinding& launch = ncu.findings.launches[i];
  const analysis::NcuKernel& kernel = launch.kernel;
  NcuRow result = {.source = ncu.source,
                   .name = CutText(ncu.rows.names.text(row.kernel)),
                   .launch = row.id,
                   .grid = ShapeText(row.grid),
                   .block = ShapeText(row.block),
                   .duration_s = {},
                   .kernel_class = launch.kernel_class,
                   .sm_percent = kernel.sm_percent,
                   .memory_percent = kernel.memory_percent,
                   .dram_percent = kernel.dram_percent,
                   .tensor_percent = kernel.tensor_percent,
                   .occupancy_percent = kernel.occupancy_percent,
                   .rules = RulesOf(ncu, row)};
  if (kernel.duration_ns) result.duration_s = *kernel.duration_ns / 1e9;
  return result;
}

}  // namespace

std::vector<size_t> LongestLaunches(const NcuFacts& ncu) {
  const auto time_ns = [](const NcuLaunchFinding& launch) {
    return launch.kernel.duration_ns.value_or(0);
  };
  std::vector<size_t> order;
  for (const NcuLaunchFinding* launch :
       LongestFirst(ncu.findings.launches, kMostLaunches, time_ns)) {
    order.push_back(static_cast<size_t>(launch - ncu.findings.launches.data()));
  }
  return order;
}

std::vector<NcuRow> MakeNcu(const RunFacts& facts) {
  std::vector<NcuRow> rows;
  for (const NcuFacts& ncu : facts.ncu) {
    for (const size_t i : LongestLaunches(ncu)) rows.push_back(LaunchOf(ncu, i));
  }
  return rows;
}

}  // namespace ridgeline::report
