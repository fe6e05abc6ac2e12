#include "analysis/trace_findings.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace ridgeline::analysis {
namespace {

using results::GpuActivity;
using results::GpuActivityKind;
using results::ResultStore;
using results::TraceRows;

ProfilerSteps StepsOf(const TraceRows& rows) {
  ProfilerSteps steps;
  std::vector<int64_t> durations_ns;
  for (const results::ThreadCall& call : rows.annotations) {
    const std::string_view name = rows.names.text(call.name);
    if (!name.starts_with(results::kProfilerStep)) continue;
    steps.names.emplace_back(name);
    durations_ns.push_back(call.duration_ns);
  }
  std::sort(steps.names.begin(), steps.names.end());
  steps.duration = StatsOf(std::move(durations_ns));
  return steps;
}

std::optional<DurationStats> KernelDuration(const TraceRows& rows) {
  std::vector<int64_t> durations_ns;
  for (const GpuActivity& activity : rows.gpu_activities) {
    if (activity.kind == GpuActivityKind::kKernel) {
      durations_ns.push_back(activity.duration_ns);
    }
  }
  return StatsOf(std::move(durations_ns));
}

results::LaunchDelay DelayRow(results::SourceId source, const char* measure,
                              const DurationStats& stats) {
  return {.source = source,
          .measure = measure,
          .count = stats.count,
          .total_ns = stats.total_ns,
          .median_ns = stats.median_ns,
          .min_ns = stats.min_ns,
          .max_ns = stats.max_ns};
}

// Appends the rows of one trace to a store, mapping names, source and devices to the
// store's ids.
class TraceAdder {
 public:
  TraceAdder(const TraceRows& rows, ResultStore& store)
      : rows_(rows),
        store_(store),
        source_(static_cast<results::SourceId>(store.sources.size())),
        first_device_(static_cast<results::DeviceId>(store.devices.size())) {}

  void AddSource(results::Source source) {
    const results::TraceHeader& header = rows_.header;
    source.text_bytes = rows_.text_bytes;
    source.rank = header.rank;
    source.world_size = header.world_size;
    source.time_base_ns = header.time_base_ns;
    source.event_count = rows_.counts.events;
    store_.sources.push_back(std::move(source));
    for (const std::string& label : rows_.devices) {
      const auto model = header.gpu_name_of_device.find(label);
      store_.devices.push_back({.source = source_, .label = label});
      if (model != header.gpu_name_of_device.end()) {
        store_.devices.back().model = model->second;
      }
    }
  }

  void AddDropped(const TraceFindings& findings) {
    for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
      const auto counter = static_cast<results::DropReason>(i);
      const int64_t count = rows_.left_out.Get(counter) + findings.dropped.Get(counter);
      if (count > 0) store_.import_counters.push_back({source_, counter, count});
    }
  }

  void AddFindings(const TraceFindings& findings) {
    for (results::OperatorTotal total : findings.operators) {
      total.source = source_;
      total.name = NameOf(total.name);
      store_.operator_totals.push_back(total);
    }
    for (results::UncountedOperator uncounted : findings.uncounted) {
      uncounted.source = source_;
      uncounted.name = NameOf(uncounted.name);
      store_.uncounted_operators.push_back(uncounted);
    }
    for (const results::RegionTotal& region : findings.regions) {
      store_.regions.push_back(region);
      store_.regions.back().source = source_;
    }
    AddTotals(findings.gpu.kernels, store_.kernel_totals);
    AddTotals(findings.gpu.memory_ops, store_.memory_op_totals);
    for (results::DeviceTime time : findings.devices) {
      time.device += first_device_;
      store_.device_times.push_back(time);
    }
    const LaunchDelays& launch = findings.launch;
    if (!launch.call_start_to_start || !launch.call_end_to_start) return;
    store_.launch_delays.push_back(
        DelayRow(source_, "start_to_start", *launch.call_start_to_start));
    store_.launch_delays.push_back(
        DelayRow(source_, "end_to_start", *launch.call_end_to_start));
  }

  void AddActivities() {
    for (const GpuActivity& activity : rows_.gpu_activities) {
      const results::Track& track = rows_.tracks[activity.track];
      store_.gpu_activities.push_back({.device = first_device_ + track.device,
                                       .stream = store_.names.Intern(track.stream),
                                       .kind = activity.kind,
                                       .name = NameOf(activity.name),
                                       .start_ns = activity.start_ns,
                                       .duration_ns = activity.duration_ns,
                                       .correlation = activity.correlation});
    }
  }

 private:
  StringId NameOf(StringId name) { return store_.names.Intern(rows_.names.text(name)); }

  void AddTotals(const std::vector<results::GpuTotal>& from,
                 std::vector<results::GpuTotal>& to) {
    for (results::GpuTotal total : from) {
      total.device += first_device_;
      total.name = NameOf(total.name);
      to.push_back(total);
    }
  }

  const TraceRows& rows_;
  ResultStore& store_;
  results::SourceId source_;
  results::DeviceId first_device_;
};

void AddCosts(TraceCosts costs, TraceFindings& findings) {
  findings.has_shapes = costs.has_shapes;
  findings.regions = std::move(costs.regions);
  findings.uncounted = std::move(costs.uncounted);
  findings.dropped.Add(costs.dropped);
  if (costs.operators.empty()) return;
  for (results::OperatorTotal& total : findings.operators) {
    total.gpu_self_ns = costs.operators[total.name].gpu_self_ns;
    total.work = std::move(costs.operators[total.name].work);
  }
}

}  // namespace

TraceFindings FindingsOf(const TraceRows& rows) {
  const LaunchIndex launches(rows);
  TraceFindings findings;
  findings.operators = OperatorTotals(rows);
  findings.gpu = GpuTotalsOf(rows);
  findings.kernels_over_devices = OverDevices(findings.gpu.kernels, rows.names);
  findings.memory_ops_over_devices = OverDevices(findings.gpu.memory_ops, rows.names);
  findings.kernel_duration = KernelDuration(rows);
  findings.devices = DeviceTimes(rows, launches);
  findings.launch = LaunchDelaysOf(rows, launches);
  findings.steps = StepsOf(rows);
  AddCosts(TraceCostsOf(rows, launches), findings);
  return findings;
}

void AddToStore(const TraceRows& rows, const TraceFindings& findings,
                results::Source source, WithEvents with_events, ResultStore& store) {
  TraceAdder adder(rows, store);
  adder.AddSource(std::move(source));
  adder.AddDropped(findings);
  adder.AddFindings(findings);
  if (with_events == WithEvents::kYes) adder.AddActivities();
}

}  // namespace ridgeline::analysis
