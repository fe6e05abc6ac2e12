// Everything that is asked of a trace, in one go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/duration_stats.h"
#include "analysis/gpu_totals.h"
#include "analysis/launch_delay.h"
#include "results/result_store.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// The steps that a training or inference loop told its profiler: "ProfilerStep#5".
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
};

TraceFindings FindingsOf(const results::TraceRows& rows);

enum class WithEvents { kNo, kYes };

// Adds a trace to `store`: its source, devices, totals and what was left out; with
// kYes also every activity of a GPU. `source` names the file; the rest of it is filled
// from the rows.
void AddToStore(const results::TraceRows& rows, const TraceFindings& findings,
                results::Source source, WithEvents with_events,
                results::ResultStore& store);

}  // namespace ridgeline::analysis
