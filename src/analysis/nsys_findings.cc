#include "analysis/nsys_findings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/gpu_totals.h"
#include "analysis/intervals.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;
using results::GpuTotal;
using results::NsysGpuOp;
using results::NsysRows;

GpuTotal One(uint32_t device, StringId name, int64_t duration_ns) {
  return {.device = device,
          .name = name,
          .count = 1,
          .time_total_ns = duration_ns,
          .time_min_ns = duration_ns,
          .time_max_ns = duration_ns};
}

// There are few shapes: their names are only looked up at the end.
void FindKernels(const NsysRows& rows, const GpuTotalSum& by_shape,
                 NsysFindings& findings) {
  GpuTotalSum by_name;
  GpuTotalSum by_short_name;
  std::set<std::tuple<StringId, std::array<uint32_t, 3>, std::array<uint32_t, 3>>> shapes;
  for (GpuTotal total : by_shape.Unsorted()) {
    const results::NsysKernelShape& shape = rows.kernel_shapes[total.name];
    shapes.emplace(shape.name, shape.grid, shape.block);
    total.name = shape.name;
    by_name.Add(total);
    total.name = shape.short_name;
    by_short_name.Add(total);
  }
  findings.distinct_shapes = static_cast<int64_t>(shapes.size());
  findings.kernels = by_name.ByTimeDescending(rows.names);
  findings.kernels_over_devices = OverDevices(findings.kernels, rows.names);
  findings.short_kernels_over_devices =
      OverDevices(by_short_name.ByTimeDescending(rows.names), rows.names);
}

// Copies and memsets.
struct MemoryOpSum {
  GpuTotalSum totals;
  std::map<StringId, GpuActivityKind> kinds;

  void Add(const NsysRows& rows, const NsysGpuOp& op) {
    const results::NsysMemoryOp& memory = rows.memory_ops[op.detail];
    GpuTotal one = One(rows.tracks[op.track].device, memory.name, op.duration_ns);
    one.bytes = memory.bytes;
    totals.Add(one);
    kinds[memory.name] = op.kind;
  }
};

// All totals in one pass: reading the rows takes longer than summing them.
void FindTotals(const NsysRows& rows, NsysFindings& findings) {
  GpuTotalSum by_shape;
  MemoryOpSum memory;
  std::vector<int64_t> durations_ns;
  durations_ns.reserve(rows.gpu_ops.size());
  for (const NsysGpuOp& op : rows.gpu_ops) {
    switch (op.kind) {
      case GpuActivityKind::kKernel:
        by_shape.Add(One(rows.tracks[op.track].device, op.detail, op.duration_ns));
        durations_ns.push_back(op.duration_ns);
        if (op.duration_ns == 0) ++findings.kernels_of_no_duration;
        break;
      case GpuActivityKind::kMemcpy:
      case GpuActivityKind::kMemset:
        memory.Add(rows, op);
        break;
      case GpuActivityKind::kGraph:
        ++findings.graph_launches;
        findings.graph_total_ns = SaturatingAdd(findings.graph_total_ns, op.duration_ns);
        break;
    }
  }
  findings.kernel_duration = StatsOf(std::move(durations_ns));
  FindKernels(rows, by_shape, findings);
  findings.memory_ops = memory.totals.ByTimeDescending(rows.names);
  for (const GpuTotal& total : OverDevices(findings.memory_ops, rows.names)) {
    findings.memory_ops_over_devices.push_back({memory.kinds[total.name], total});
  }
}

// A call, and the latency of its first kernel.
struct CallDelay {
  int64_t call_start_ns = 0;
  int64_t call_duration_ns = 0;
  int64_t delay_ns = 0;
  uint32_t thread = 0;
};

// By thread and start, the first kernel of each call first.
bool CallComesBefore(const CallDelay& a, const CallDelay& b) {
  return std::tie(a.thread, a.call_start_ns, a.delay_ns) <
         std::tie(b.thread, b.call_start_ns, b.delay_ns);
}

// A kernel that starts before its call was timed by a different clock.
bool HasLatency(const NsysGpuOp& op) {
  return op.kind == GpuActivityKind::kKernel && op.has_call() &&
         op.start_ns >= op.call_start_ns;
}

// Detects whether kernels may share a call, as those of a graph do. Calls of a thread
// start one after the other; as long as their kernels do, too, each kernel has its own
// call.
class CallSharing {
 public:
  explicit CallSharing(size_t threads)
      : last_ns_(threads, std::numeric_limits<int64_t>::min()) {}

  void Add(const NsysGpuOp& op) {
    int64_t& last_ns = last_ns_[op.thread];
    if (op.call_start_ns <= last_ns) may_share_ = true;
    last_ns = op.call_start_ns;
  }
  bool may_share() const { return may_share_; }

 private:
  std::vector<int64_t> last_ns_;
  bool may_share_ = false;
};

void FindCallDelays(const NsysRows& rows, LaunchDelays& launch) {
  std::vector<CallDelay> calls;
  calls.reserve(static_cast<size_t>(launch.kernels_matched));
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (!HasLatency(op)) continue;
    calls.push_back({op.call_start_ns, op.call_duration_ns,
                     op.start_ns - op.call_start_ns, op.thread});
  }
  std::sort(calls.begin(), calls.end(), CallComesBefore);
  calls.erase(std::unique(calls.begin(), calls.end(),
                          [](const CallDelay& a, const CallDelay& b) {
                            return a.thread == b.thread &&
                                   a.call_start_ns == b.call_start_ns;
                          }),
              calls.end());
  std::vector<int64_t> start_to_start;
  std::vector<int64_t> end_to_start;
  for (const CallDelay& call : calls) {
    start_to_start.push_back(call.delay_ns);
    end_to_start.push_back(call.delay_ns - call.call_duration_ns);
  }
  launch.call_start_to_start = StatsOf(std::move(start_to_start));
  launch.call_end_to_start = StatsOf(std::move(end_to_start));
}

// One list of latencies at a time, because they are long.
void FindLaunches(const NsysRows& rows, NsysFindings& findings) {
  LaunchDelays& launch = findings.launch;
  launch.runtime_calls_with_correlation = rows.runtime_calls;
  launch.duplicate_correlations = rows.duplicate_correlations;
  CallSharing calls(rows.threads.size());
  std::vector<int64_t> delays_ns;
  delays_ns.reserve(rows.gpu_ops.size());
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (op.kind != GpuActivityKind::kKernel) continue;
    if (!op.has_call()) {
      ++launch.kernels_unmatched;
      continue;
    }
    ++launch.kernels_matched;
    if (HasLatency(op)) {
      delays_ns.push_back(op.start_ns - op.call_start_ns);
      calls.Add(op);
    } else {
      ++launch.negative_start_to_start;
    }
  }
  launch.start_to_start = launch.call_start_to_start = StatsOf(std::move(delays_ns));
  delays_ns = {};
  delays_ns.reserve(static_cast<size_t>(launch.kernels_matched));
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (op.kind != GpuActivityKind::kKernel || !op.has_call()) continue;
    const int64_t delay_ns = op.start_ns - op.call_start_ns - op.call_duration_ns;
    if (delay_ns < 0) ++findings.kernels_begun_before_return;
    if (HasLatency(op)) delays_ns.push_back(delay_ns);
  }
  launch.end_to_start = launch.call_end_to_start = StatsOf(std::move(delays_ns));
  if (calls.may_share()) FindCallDelays(rows, launch);
}

NvtxTotals NvtxTotalsOf(const NsysRows& rows) {
  NvtxTotals totals;
  GpuTotalSum sum;
  for (const results::NvtxRange& range : rows.nvtx_ranges) {
    if (range.is_open) continue;
    const int64_t duration_ns = range.end_ns - range.start_ns;
    ++totals.closed_ranges;
    totals.time_total_ns = SaturatingAdd(totals.time_total_ns, duration_ns);
    sum.Add(One(0, range.name, duration_ns));
    ++totals.ranges_by_domain[rows.domains[range.domain].id];
  }
  totals.by_name = sum.ByTimeDescending(rows.names);
  for (const results::NvtxDomain& domain : rows.domains) {
    if (!domain.name.empty()) totals.domains.emplace(domain.id, domain.name);
  }
  return totals;
}

const char* ApiNameOf(results::NsysApiTotal::Kind kind) {
  switch (kind) {
    case results::NsysApiTotal::Kind::kRuntime:
      return "cuda";
    case results::NsysApiTotal::Kind::kOsRuntime:
      return "osrt";
    case results::NsysApiTotal::Kind::kSynchronization:
      return "synchronization";
  }
  return "cuda";
}

// Adds one export to a store, continuing the numbering of earlier exports.
class ExportAdder {
 public:
  ExportAdder(const NsysRows& rows, results::ResultStore& store)
      : rows_(rows),
        store_(store),
        source_(static_cast<results::SourceId>(store.sources.size())),
        first_device_(static_cast<results::DeviceId>(store.devices.size())) {}

  void AddSource(results::Source source) {
    source.event_count = static_cast<int64_t>(rows_.gpu_ops.size()) +
                         rows_.runtime_calls + rows_.nvtx.rows;
    store_.sources.push_back(std::move(source));
    for (const results::NsysGpu& gpu : rows_.devices) {
      store_.devices.push_back(
          {.source = source_, .label = gpu.label, .model = gpu.model});
    }
    for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
      const auto counter = static_cast<results::DropReason>(i);
      const int64_t count = rows_.left_out.Get(counter);
      if (count > 0) store_.import_counters.push_back({source_, counter, count});
    }
  }

  void AddFindings(const NsysFindings& findings) {
    AddTotals(findings.kernels, store_.kernel_totals);
    AddTotals(findings.memory_ops, store_.memory_op_totals);
    for (const NsysDevice& device : findings.devices) {
      store_.device_times.push_back(device.time);
      store_.device_times.back().device += first_device_;
    }
    AddDelay("start_to_start", findings.launch.call_start_to_start);
    AddDelay("end_to_start", findings.launch.call_end_to_start);
    for (const results::NsysApiTotal& total : rows_.api_totals) {
      store_.api_totals.push_back({source_, ApiNameOf(total.kind), Named(total.name),
                                   total.calls, total.time_total_ns, total.time_min_ns,
                                   total.time_max_ns});
    }
    AddRegions(findings.regions);
  }

  void AddActivities() {
    for (const NsysGpuOp& op : rows_.gpu_ops) {
      const results::NsysTrack& track = rows_.tracks[op.track];
      store_.gpu_activities.push_back(
          {.device = first_device_ + track.device,
           .stream = store_.names.Intern(std::to_string(track.stream)),
           .kind = op.kind,
           .name = ActivityName(op),
           .start_ns = op.start_ns,
           .duration_ns = op.duration_ns,
           .correlation = op.correlation});
    }
  }

 private:
  StringId Named(StringId name) { return store_.names.Intern(rows_.names.text(name)); }

  StringId ActivityName(const NsysGpuOp& op) {
    switch (op.kind) {
      case GpuActivityKind::kKernel:
        return Named(rows_.kernel_shapes[op.detail].name);
      case GpuActivityKind::kMemcpy:
      case GpuActivityKind::kMemset:
        return Named(rows_.memory_ops[op.detail].name);
      case GpuActivityKind::kGraph:
        return store_.names.Intern("graph " + std::to_string(rows_.graphs[op.detail]));
    }
    return store_.names.Intern("");
  }

  void AddTotals(const std::vector<GpuTotal>& from, std::vector<GpuTotal>& to) {
    for (GpuTotal total : from) {
      total.device += first_device_;
      total.name = Named(total.name);
      to.push_back(total);
    }
  }

  void AddDelay(const char* measure, const std::optional<DurationStats>& stats) {
    if (!stats) return;
    store_.launch_delays.push_back({.source = source_,
                                    .measure = measure,
                                    .count = stats->count,
                                    .total_ns = stats->total_ns,
                                    .median_ns = stats->median_ns,
                                    .min_ns = stats->min_ns,
                                    .max_ns = stats->max_ns});
  }

  void AddRegions(const RegionFindings& findings) {
    for (const results::RegionTotal& region : findings.regions) {
      store_.regions.push_back(region);
      store_.regions.back().source = source_;
    }
    AddUnattributed("outside all ranges", findings.outside);
    AddUnattributed("no matching API call", findings.without_call);
    AddUnattributed("unified memory migrations", findings.migrations);
  }

  void AddUnattributed(const char* path, const GpuWork& work) {
    if (work == GpuWork{}) return;
    results::RegionTotal rest;
    rest.source = source_;
    rest.path = path;
    rest.kind = "unattributed";
    rest.launches = rest.launches_inclusive = work.launches;
    rest.gpu_exclusive_ns = rest.gpu_inclusive_ns = work.gpu_ns;
    rest.memory_ops = rest.memory_ops_inclusive = work.memory_ops;
    rest.memory_exclusive_ns = rest.memory_inclusive_ns = work.memory_ns;
    rest.memory_exclusive_bytes = rest.memory_inclusive_bytes = work.memory_bytes;
    store_.regions.push_back(std::move(rest));
  }

  const NsysRows& rows_;
  results::ResultStore& store_;
  results::SourceId source_;
  results::DeviceId first_device_;
};

}  // namespace

Result<NsysFindings> FindingsOf(const NsysRows& rows) {
  NsysFindings findings;
  FindTotals(rows, findings);
  findings.devices = NsysDevices(rows);
  FindLaunches(rows, findings);
  findings.nvtx = NvtxTotalsOf(rows);
  RIDGELINE_TRY(findings.regions, RegionsOf(rows));
  return findings;
}

void AddToStore(const NsysRows& rows, const NsysFindings& findings,
                results::Source source, WithEvents with_events,
                results::ResultStore& store) {
  ExportAdder adder(rows, store);
  adder.AddSource(std::move(source));
  adder.AddFindings(findings);
  if (with_events == WithEvents::kYes) adder.AddActivities();
}

}  // namespace ridgeline::analysis
