#include <map>
#include <tuple>

#include "report/sections/device_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxApis = 50;
constexpr size_t kVersionDigits = 4;  // "cuMemAlloc_v2" is a name.

struct NamedApi {
  std::string name;
  results::ApiTotal total;
};

// Without the version that nsys appends ("cudaMemcpy_v3020"), as in nsys stats. CUPTI
// activities of synchronization are those without such a call.
std::string ApiName(const results::ResultStore& store, const results::ApiTotal& api) {
  std::string name = NameIn(store, api.name);
  if (api.kind == "synchronization") return name + " (CUPTI activity)";
  const size_t version = name.rfind("_v");
  if (version == name.npos || version + 2 == name.size()) return name;
  const bool is_version =
      name.find_first_not_of("0123456789", version + 2) == name.npos &&
      name.size() - version - 2 >= kVersionDigits;
  if (api.kind == "cuda" && is_version) name.resize(version);
  return name;
}

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
  const auto total_ns = [](const NamedApi& api) { return api.total.time_total_ns; };
  std::vector<NamedApi> apis;
  std::map<std::tuple<results::SourceId, std::string, std::string>, size_t> known;
  for (const results::ApiTotal& api : store.api_totals) {
    std::string name = ApiName(store, api);
    const auto [at, is_new] =
        known.try_emplace({api.source, api.kind, name}, apis.size());
    if (is_new) {
      apis.push_back({std::move(name), api});
      continue;
    }
    results::ApiTotal& total = apis[at->second].total;
    total.calls += api.calls;
    total.time_total_ns += api.time_total_ns;
    total.time_max_ns = std::max(total.time_max_ns, api.time_max_ns);
  }
  RowLimit limit(kMaxApis);
  std::vector<ApiRow> rows;
  for (const NamedApi* api : ByTimeDescending(apis, kUnlimited, total_ns)) {
    if (!limit.Keeps(api->total.source)) continue;
    rows.push_back({.source = FileOf(store, api->total.source),
                    .kind = api->total.kind,
                    .name = api->name,
                    .calls = api->total.calls,
                    .total_s = Seconds(api->total.time_total_ns),
                    .max_s = Seconds(api->total.time_max_ns)});
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
