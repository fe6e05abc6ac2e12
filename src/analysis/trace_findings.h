// All findings of a trace, in one pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/gpu_totals.h"
#include "analysis/launch_delay.h"
#include "analysis/statistics.h"
#include "analysis/trace_costs.h"
#include "results/result_store.h"
#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// Steps marked by a training or inference loop with profiler.step(): "ProfilerStep#5".
struct ProfilerSteps {
  std::vector<std::string> names;  // Sorted.
  std::optional<DurationStats> duration;
};

struct TraceFindings {
  std::vector<results::OperatorTotal> operators;
  GpuTotals gpu;
  std::vector<results::GpuTotal> kernels_over_devices;
  std::vector<results::GpuTotal> memory_ops_over_devices;
  std::optional<DurationStats> kernel_duration;
  std::vector<results::DeviceTime> devices;
  LaunchDelays launch;
  ProfilerSteps steps;
  // If set, `operators` contains FLOPs.
  bool has_shapes = false;
  std::vector<results::RegionTotal> regions;
  std::vector<results::UncountedOperator> uncounted;
  results::DropCounts dropped;  // In addition to those in the rows.
};

TraceFindings FindingsOf(const results::TraceRows& rows);

enum class WithEvents { kNo, kYes };

// Adds a trace to `store`: its source, devices, totals and dropped records; with kYes
// also every GPU activity. `source` names the file; its other fields are filled from the
// rows.
void AddToStore(const results::TraceRows& rows, const TraceFindings& findings,
                results::Source source, WithEvents with_events,
                results::ResultStore& store);

// How the GPUs spent their time.

// One row per device, in the order of TraceRows::devices, whose indexes they contain.
//
// Busy, idle and gaps refer to activity on any stream of the device; activities launched
// before the trace began count, except in the fields `launched_inside_*`. Activities of
// zero duration count, but do not split a gap.
std::vector<results::DeviceTime> DeviceTimes(const results::TraceRows& rows,
                                             const LaunchIndex& launches);

// CPU time by operator.

// One row per name, with source 0, by descending time; ties by name.
//
// Self time: every instant of a thread belongs to the latest-starting operator running
// there. So the self times of a thread add up to the time in which it runs any operator,
// even if operators overlap without nesting. CUDA runtime calls are not operators: their
// time is self time of their callers.
//
// Total time: how long a thread runs any call of the name. Of calls nested in one of the
// same name only the outermost one adds to it, because it includes the others.
std::vector<results::OperatorTotal> OperatorTotals(const results::TraceRows& rows);

}  // namespace ridgeline::analysis
