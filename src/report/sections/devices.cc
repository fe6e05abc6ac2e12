#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMostApis = 50;

}  // namespace

std::vector<DeviceRow> MakeDevices(const results::ResultStore& store) {
  std::vector<DeviceRow> rows;
  for (const results::DeviceTime& time : store.device_times) {
    const results::Device& device = store.devices[time.device];
    rows.push_back({.source = FileOf(store, device.source),
                    .device = device.label,
                    .model = device.model,
                    .activities = time.activity_count,
                    .streams = time.stream_count,
                    .span_s = Seconds(time.span_ns),
                    .busy_s = Seconds(time.busy_ns),
                    .busy_kernels_s = Seconds(time.busy_kernels_ns),
                    .idle_s = Seconds(time.idle_ns),
                    .gaps = time.gap_count,
                    .gap_max_s = Seconds(time.gap_max_ns),
                    .memory_s = Seconds(time.memory_ns),
                    .memory_exposed_s = Seconds(time.memory_exposed_ns),
                    .communication_s = Seconds(time.communication_ns),
                    .communication_exposed_s = Seconds(time.communication_exposed_ns),
                    .graphs = time.graph_count});
  }
  return rows;
}

std::vector<MemoryOpRow> MakeMemoryOps(const results::ResultStore& store) {
  const auto total_ns = [](const results::GpuTotal& op) { return op.time_total_ns; };
  std::vector<MemoryOpRow> rows;
  for (const results::GpuTotal* op :
       LongestFirst(store.memory_op_totals, kMostRows, total_ns)) {
    const results::Device& device = store.devices[op->device];
    rows.push_back({.source = FileOf(store, device.source),
                    .device = device.label,
                    .name = NameIn(store, op->name),
                    .count = op->count,
                    .total_s = Seconds(op->time_total_ns)});
  }
  return rows;
}

std::vector<ApiRow> MakeApis(const results::ResultStore& store) {
  const auto total_ns = [](const results::ApiTotal& api) { return api.time_total_ns; };
  std::vector<ApiRow> rows;
  for (const results::ApiTotal* api :
       LongestFirst(store.api_totals, kMostApis, total_ns)) {
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
                    .min_s = Seconds(delay.min_ns),
                    .max_s = Seconds(delay.max_ns)});
  }
  return rows;
}

}  // namespace ridgeline::report
