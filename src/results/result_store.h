// The measurements of all sources. Filled once, then only read.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/string_pool.h"
#include "results/rows.h"

namespace ridgeline::results {

// Schema version of the file; docs/results-schema.md lists the changes.
inline constexpr int kResultsVersion = 9;

// Every version of the file begins with this; no foreign file does.
inline constexpr std::string_view kResultsMarker =
    "CREATE TABLE meta (\n  key   TEXT PRIMARY KEY";

struct ResultStore {
  StringPool names;
  std::vector<Source> sources;
  std::vector<Device> devices;
  std::vector<OperatorTotal> operator_totals;
  std::vector<UncountedOperator> uncounted_operators;
  std::vector<GpuTotal> kernel_totals;
  std::vector<GpuTotal> memory_op_totals;
  std::vector<DeviceTime> device_times;
  std::vector<LaunchDelay> launch_delays;
  std::vector<GpuActivityRow> gpu_activities;
  std::vector<PhaseSample> phase_samples;
  std::vector<TokenLatency> token_latencies;
  std::vector<CallFlops> call_flops;
  std::vector<RegionTotal> regions;
  std::vector<RegionRoofline> region_rooflines;
  std::vector<PhaseCost> phase_costs;
  std::vector<ApiTotal> api_totals;
  std::vector<NcuLaunchRow> ncu_launches;
  std::vector<NcuMetricRow> ncu_metrics;
  std::vector<NcuRuleRow> ncu_rules;
  std::vector<DropRow> import_counters;
};

// The bytes of results.sqlite, built in memory; write them with os::WriteFileAtomically.
// `written_by` is the writer's name in the table `meta`.
Result<std::string> ToSqlite(const ResultStore& store, std::string_view written_by);

}  // namespace ridgeline::results
