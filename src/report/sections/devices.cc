#include "report/sections/device_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxApis = 50;

}  // namespace

std::vector<DeviceRow> MakeDevices(const results::ResultStore& store) {
  std::vector<DeviceRow> rows;
  for (const results::DeviceTime& time : store.device_times) {
    const results::Device& device = store.devices[time.device];
    rows.push_back(
        {.source = FileOf(store, device.source),
         .device = device.label,
         .model = device.model,
         .activities = time.activity_count,
         .streams = time.stream_count,
         .span_s = Seconds(time.span_ns),
         .busy_s = Seconds(time.busy_ns),
         .busy_kernels_s = Seconds(time.busy_kernels_ns),
         .idle_s = Seconds(time.idle_ns),
         .idle_gaps = time.gap_count,
         .idle_gap_max_s = Seconds(time.gap_max_ns),
         .compute_s = Seconds(time.compute_ns),
         .memory_s = Seconds(time.memory_ns),
         .exposed_copy_s = Seconds(time.memory_exposed_ns),
         .communication_s = Seconds(time.communication_ns),
         .exposed_communication_s = Seconds(time.communication_exposed_ns),
         .communication_kernels = time.communication_count,
         .possible_communication_kernels = time.communication_suspected_count,
         .possible_communication_s = Seconds(time.communication_suspected_total_ns),
         .graphs = time.graph_count,
         .graphs_s = Seconds(time.graph_total_ns),
         .matched_activities = time.launched_inside_count,
         .matched_span_s = Seconds(time.launched_inside_span_ns),
         .matched_busy_s = Seconds(time.launched_inside_busy_ns),
         .matched_idle_s = Seconds(time.launched_inside_idle_ns)});
  }
  return rows;
}

std::vector<MemoryOpRow> MakeMemoryOps(const results::ResultStore& store) {
  const auto total_ns = [](const results::GpuTotal& op) { return op.time_total_ns; };
  RowLimit limit;
  std::vector<MemoryOpRow> rows;
  for (const results::GpuTotal* op :
       ByTimeDescending(store.memory_op_totals, kUnlimited, total_ns)) {
    const results::Device& device = store.devices[op->device];
    if (!limit.Keeps(device.source)) continue;
    rows.push_back({.source = FileOf(store, device.source),
                    .device = device.label,
                    .name = NameIn(store, op->name),
                    .count = op->count,
                    .total_s = Seconds(op->time_total_ns),
                    .bytes = op->bytes});
  }
  return rows;
}

std::vector<ApiRow> MakeApis(const results::ResultStore& store) {
  const auto total_ns = [](const results::ApiTotal& api) { return api.time_total_ns; };
  RowLimit limit(kMaxApis);
  std::vector<ApiRow> rows;
  for (const results::ApiTotal* api :
       ByTimeDescending(store.api_totals, kUnlimited, total_ns)) {
    if (!limit.Keeps(api->source)) continue;
    rows.push_back({.source = FileOf(store, api->source),
                    .kind = api->kind,
                    .name = NameIn(store, api->name),
                    .calls = api->calls,
                    .total_s = Seconds(api->time_total_ns),
                    .max_s = Seconds(api->time_max_ns)});
  }
  return rows;
}

std::vector<LaunchDelayRow> MakeLaunchDelays(const results::ResultStore& store) {
  std::vector<LaunchDelayRow> rows;
  for (const results::LaunchDelay& delay : store.launch_delays) {
    rows.push_back({.source = FileOf(store, delay.source),
                    .measure = delay.measure,
                    .count = delay.count,
                    .median_s = delay.median_ns / 1e9,
                    .mean_s = Seconds(delay.total_ns) /
                              static_cast<double>(std::max<int64_t>(1, delay.count)),
                    .min_s = Seconds(delay.min_ns),
                    .max_s = Seconds(delay.max_ns)});
  }
  return rows;
}

}  // namespace ridgeline::report
