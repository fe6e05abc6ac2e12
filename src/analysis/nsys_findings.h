// All findings of an nsys export, in one pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/launch_delay.h"
#include "analysis/regions.h"
#include "analysis/statistics.h"
#include "analysis/trace_findings.h"
#include "results/nsys_rows.h"
#include "results/result_store.h"
#include "results/rows.h"

namespace ridgeline::analysis {

// How the GPUs of an nsys export spent their time.

struct NsysDevice {
  results::DeviceTime time;            // See trace_findings.h.
  int64_t busy_kernels_graphs_ns = 0;  // Kernel or graph running.
  int64_t kernel_span_ns = 0;          // From the first kernel to the last.
  int64_t kernel_idle_ns = 0;          // No kernel running within that span.
};

// One per device, in the order of NsysRows::devices. Graphs traced as a whole count as
// busy, but neither as compute nor as kernels: their contents are unknown.
std::vector<NsysDevice> NsysDevices(const results::NsysRows& rows);

// All copies of one direction, or all memsets.
struct MemoryOpTotal {
  results::GpuActivityKind kind = results::GpuActivityKind::kMemcpy;
  results::GpuTotal total;  // Over all devices.
};

struct NvtxTotals {
  int64_t closed_ranges = 0;
  int64_t time_total_ns = 0;               // Over all closed ranges.
  std::vector<results::GpuTotal> by_name;  // Closed ranges; `device` is unused.
  std::map<int64_t, int64_t> ranges_by_domain;
  std::map<int64_t, std::string> domains;  // Named domains only.
};

struct NsysFindings {
  std::vector<results::GpuTotal> kernels;  // By device and demangled name.
  std::vector<results::GpuTotal> kernels_over_devices;
  std::vector<results::GpuTotal> short_kernels_over_devices;
  int64_t distinct_shapes = 0;  // Unique demangled name, grid and block.
  std::optional<DurationStats> kernel_duration;
  int64_t kernels_of_no_duration = 0;
  std::vector<results::GpuTotal> memory_ops;  // By device.
  std::vector<MemoryOpTotal> memory_ops_over_devices;
  int64_t graph_launches = 0;
  int64_t graph_total_ns = 0;
  std::vector<NsysDevice> devices;
  LaunchDelays launch;
  int64_t kernels_begun_before_return = 0;  // Before the return of their runtime call.
  NvtxTotals nvtx;
  RegionFindings regions;
};

// Fails if regions do not add up.
Result<NsysFindings> FindingsOf(const results::NsysRows& rows);

// Same as for traces.
void AddToStore(const results::NsysRows& rows, const NsysFindings& findings,
                results::Source source, WithEvents with_events,
                results::ResultStore& store);

}  // namespace ridgeline::analysis
