#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "analysis/kernel_kind.h"
#include "analysis/statistics.h"
#include "report/json_parts.h"
#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using results::PhaseSample;
using results::ResultStore;

// Tables that a person reads; results.sqlite has all of it.
constexpr size_t kMostRows = 200;
constexpr size_t kMostApis = 50;

double ToDouble(int64_t value) { return static_cast<double>(value); }

template <typename Row, typename TimeOf>
std::vector<const Row*> LongestFirst(const std::vector<Row>& rows, size_t most,
                                     TimeOf time_of) {
  std::vector<const Row*> longest;
  longest.reserve(rows.size());
  for (const Row& row : rows) longest.push_back(&row);
  std::stable_sort(
      longest.begin(), longest.end(),
      [&time_of](const Row* a, const Row* b) { return time_of(*a) > time_of(*b); });
  if (longest.size() > most) longest.resize(most);
  return longest;
}

int64_t TotalNs(const results::GpuTotal& total) { return total.time_total_ns; }

std::string Name(const ResultStore& store, StringId name) {
  return CutText(store.names.text(name));
}

const std::string& File(const ResultStore& store, results::SourceId source) {
  return store.sources[source].file;
}

Json PhaseJson(const ResultStore& store, const std::vector<const PhaseSample*>& samples) {
  std::vector<double> seconds;
  double total_s = 0;
  std::optional<int64_t> tokens;
  for (const PhaseSample* sample : samples) {
    seconds.push_back(Seconds(sample->duration_ns));
    total_s += seconds.back();
    if (sample->tokens) tokens = tokens.value_or(0) + *sample->tokens;
  }
  const PhaseSample& first = *samples.front();
  const analysis::Summary summary = analysis::Summarize(seconds);
  Json phase = {{"source", File(store, first.source)},
                {"profiled", first.pass == PhaseSample::Pass::kProfiled},
                {"phase", first.phase},
                {"samples", seconds.size()},
                {"total_s", total_s},
                {"mean_s", summary.mean},
                {"median_s", summary.median},
                {"min_s", summary.min},
                {"max_s", summary.max},
                {"mean_ci95_s", nullptr},
                {"tokens_per_s", nullptr}};
  if (summary.mean_interval) {
    phase["mean_ci95_s"] = {summary.mean_interval->low, summary.mean_interval->high};
  }
  if (tokens && total_s > 0) phase["tokens_per_s"] = ToDouble(*tokens) / total_s;
  return phase;
}

}  // namespace

// In the order of the sources, profiled samples apart from the others.
Json PhasesJson(const ResultStore& store) {
  using Key = std::tuple<results::SourceId, PhaseSample::Pass, std::string>;
  std::vector<Key> order;
  std::map<Key, std::vector<const PhaseSample*>> groups;
  for (const PhaseSample& sample : store.phase_samples) {
    const Key key = {sample.source, sample.pass, sample.phase};
    if (!groups.contains(key)) order.push_back(key);
    groups[key].push_back(&sample);
  }
  Json phases = Json::array();
  for (const Key& key : order) phases.push_back(PhaseJson(store, groups[key]));
  return phases;
}

// On the clock of the GPU where there is one.
Json InstanceJson(const results::RegionTotal& region) {
  const bool is_gpu = region.gpu_span_instance.has_value();
  const auto& spread = is_gpu ? region.gpu_span_instance : region.cpu_instance;
  if (!spread) return nullptr;
  return {{"clock", is_gpu ? "gpu" : "cpu"},
          {"min_s", Seconds(spread->min_ns)},
          {"median_s", Seconds(spread->median_ns)},
          {"p99_s", Seconds(spread->p99_ns)},
          {"max_s", Seconds(spread->max_ns)}};
}

Json RegionsJson(const ResultStore& store) {
  Json regions = Json::array();
  for (const results::RegionTotal& region : store.regions) {
    if (regions.size() == kMostRows) break;
    Json row = {{"source", File(store, region.source)},
                {"path", CutText(region.path)},
                {"kind", region.kind},
                {"instances", region.instances},
                {"cpu_s", Seconds(region.cpu_total_ns)},
                {"launches", region.launches_inclusive},
                {"gpu_s", Seconds(region.gpu_inclusive_ns)},
                {"gpu_exclusive_s", Seconds(region.gpu_exclusive_ns)},
                {"gpu_span_s", Seconds(region.gpu_span_ns)},
                {"gpu_gap_s", Seconds(region.gpu_gap_ns)},
                {"copied_bytes", region.memory_inclusive_bytes},
                {"instance", InstanceJson(region)}};
    const auto roof = std::find_if(store.region_roofs.begin(), store.region_roofs.end(),
                                   [&region](const results::RegionRoof& candidate) {
                                     return candidate.source == region.source &&
                                            candidate.path == region.path;
                                   });
    if (roof != store.region_roofs.end()) {
      row["roof"] = {{"clock", roof->clock},
                     {"flops_per_s", roof->flops_per_s},
                     {"bytes_per_s", roof->bytes_per_s},
                     {"distance", OrNull(roof->distance)}};
    }
    regions.push_back(std::move(row));
  }
  return regions;
}

// Shares are of all kernels of the source.
Json KernelsJson(const ResultStore& store) {
  std::map<results::SourceId, int64_t> totals_ns;
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    totals_ns[store.devices[kernel.device].source] += kernel.time_total_ns;
  }
  Json rows = Json::array();
  for (const results::GpuTotal* kernel :
       LongestFirst(store.kernel_totals, kMostRows, TotalNs)) {
    const results::Device& device = store.devices[kernel->device];
    const double total_s = Seconds(kernel->time_total_ns);
    rows.push_back({{"source", File(store, device.source)},
                    {"device", device.label},
                    {"name", Name(store, kernel->name)},
                    {"kind", NameOf(analysis::KindOf(store.names.text(kernel->name)))},
                    {"launches", kernel->count},
                    {"total_s", total_s},
                    {"mean_s", total_s / ToDouble(std::max<int64_t>(1, kernel->count))},
                    {"min_s", Seconds(kernel->time_min_ns)},
                    {"max_s", Seconds(kernel->time_max_ns)},
                    {"share", ShareOrNull(ToDouble(kernel->time_total_ns),
                                          ToDouble(totals_ns[device.source]))}});
  }
  return rows;
}

Json KernelsInAllJson(const ResultStore& store) {
  int64_t launches = 0;
  int64_t total_ns = 0;
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    launches += kernel.count;
    total_ns += kernel.time_total_ns;
  }
  return {{"kernels", store.kernel_totals.size()},
          {"launches", launches},
          {"total_s", Seconds(total_ns)}};
}

Json OperatorsJson(const ResultStore& store) {
  std::map<results::SourceId, int64_t> totals_ns;
  for (const results::OperatorTotal& op : store.operator_totals) {
    totals_ns[op.source] += op.time_self_ns;
  }
  const auto self_ns = [](const results::OperatorTotal& op) { return op.time_self_ns; };
  Json rows = Json::array();
  for (const results::OperatorTotal* op :
       LongestFirst(store.operator_totals, kMostRows, self_ns)) {
    rows.push_back({{"source", File(store, op->source)},
                    {"name", Name(store, op->name)},
                    {"calls", op->calls},
                    {"self_s", Seconds(op->time_self_ns)},
                    {"total_s", Seconds(op->time_total_ns)},
                    {"share", ShareOrNull(ToDouble(op->time_self_ns),
                                          ToDouble(totals_ns[op->source]))}});
  }
  return rows;
}

Json OperatorsInAllJson(const ResultStore& store) {
  int64_t calls = 0;
  int64_t self_ns = 0;
  for (const results::OperatorTotal& op : store.operator_totals) {
    calls += op.calls;
    self_ns += op.time_self_ns;
  }
  return {{"operators", store.operator_totals.size()},
          {"calls", calls},
          {"self_s", Seconds(self_ns)}};
}

Json DevicesJson(const ResultStore& store) {
  Json devices = Json::array();
  for (const results::DeviceTime& time : store.device_times) {
    const results::Device& device = store.devices[time.device];
    devices.push_back(
        {{"source", File(store, device.source)},
         {"device", device.label},
         {"model", OrNull(device.model)},
         {"activities", time.activity_count},
         {"streams", time.stream_count},
         {"span_s", Seconds(time.span_ns)},
         {"busy_s", Seconds(time.busy_ns)},
         {"busy_kernels_s", Seconds(time.busy_kernels_ns)},
         {"idle_s", Seconds(time.idle_ns)},
         {"gaps", time.gap_count},
         {"gap_max_s", Seconds(time.gap_max_ns)},
         {"memory_s", Seconds(time.memory_ns)},
         {"memory_exposed_s", Seconds(time.memory_exposed_ns)},
         {"communication_s", Seconds(time.communication_ns)},
         {"communication_exposed_s", Seconds(time.communication_exposed_ns)},
         {"graphs", time.graph_count}});
  }
  return devices;
}

Json MemoryOpsJson(const ResultStore& store) {
  Json rows = Json::array();
  for (const results::GpuTotal* op :
       LongestFirst(store.memory_op_totals, kMostRows, TotalNs)) {
    const results::Device& device = store.devices[op->device];
    rows.push_back({{"source", File(store, device.source)},
                    {"device", device.label},
                    {"name", Name(store, op->name)},
                    {"count", op->count},
                    {"total_s", Seconds(op->time_total_ns)}});
  }
  return rows;
}

Json ApisJson(const ResultStore& store) {
  const auto total_ns = [](const results::ApiTotal& api) { return api.time_total_ns; };
  Json rows = Json::array();
  for (const results::ApiTotal* api :
       LongestFirst(store.api_totals, kMostApis, total_ns)) {
    rows.push_back({{"source", File(store, api->source)},
                    {"kind", api->kind},
                    {"name", Name(store, api->name)},
                    {"calls", api->calls},
                    {"total_s", Seconds(api->time_total_ns)},
                    {"max_s", Seconds(api->time_max_ns)}});
  }
  return rows;
}

Json LaunchDelaysJson(const ResultStore& store) {
  Json rows = Json::array();
  for (const results::LaunchDelay& delay : store.launch_delays) {
    rows.push_back({{"source", File(store, delay.source)},
                    {"measure", delay.measure},
                    {"count", delay.count},
                    {"median_s", delay.median_ns / 1e9},
                    {"min_s", Seconds(delay.min_ns)},
                    {"max_s", Seconds(delay.max_ns)}});
  }
  return rows;
}

Json LeftOutJson(const ResultStore& store) {
  Json rows = Json::array();
  for (const results::ImportCounterRow& row : store.import_counters) {
    if (row.count == 0) continue;
    rows.push_back({{"source", File(store, row.source)},
                    {"what", results::TextOf(row.counter).sentence},
                    {"count", row.count}});
  }
  return rows;
}

}  // namespace ridgeline::report
