#include "reports/run_report.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "analysis/statistics.h"

namespace ridgeline::reports {
namespace {

using Json = nlohmann::ordered_json;
using artifacts::State;
using results::PhaseSample;
using results::ResultStore;

// Tables that a person reads; results.sqlite has all of it.
constexpr size_t kMostRows = 50;

constexpr double kSecond = 1e9;

double Seconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) / kSecond; }

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json RunJson(const artifacts::Manifest& manifest) {
  return {{"id", manifest.run_id},
          {"state", ToText(manifest.state)},
          {"why", TextOrNull(manifest.why)},
          {"valid", OrNull(manifest.valid)},
          {"workload", manifest.workload},
          {"host", manifest.host},
          {"started", TextOrNull(manifest.started)},
          {"ended", TextOrNull(manifest.ended)},
          {"arguments", manifest.arguments},
          {"ridgeline_version", manifest.ridgeline_version}};
}

Json StagesJson(const artifacts::Manifest& manifest) {
  Json stages = Json::array();
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state == State::kDisabled) continue;
    stages.push_back({{"name", stage.name},
                      {"state", ToText(stage.state)},
                      {"outcome", TextOrNull(stage.outcome)},
                      {"why", TextOrNull(stage.why)},
                      {"wall_s", OrNull(stage.wall_s)},
                      {"notes", stage.notes}});
  }
  return stages;
}

// Samples of a phase in the order of the sources, profiled ones apart from the others.
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
  for (const Key& key : order) {
    std::vector<double> seconds;
    double total_s = 0;
    std::optional<int64_t> tokens;
    for (const PhaseSample* sample : groups[key]) {
      seconds.push_back(Seconds(sample->duration_ns));
      total_s += seconds.back();
      if (sample->tokens) tokens = tokens.value_or(0) + *sample->tokens;
    }
    const analysis::Summary summary = analysis::Summarize(seconds);
    const bool is_profiled = std::get<1>(key) == PhaseSample::Pass::kProfiled;
    Json phase = {{"source", store.sources[std::get<0>(key)].file},
                  {"profiled", is_profiled},
                  {"phase", std::get<2>(key)},
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
    if (tokens && total_s > 0) {
      phase["tokens_per_s"] = static_cast<double>(*tokens) / total_s;
    }
    phases.push_back(std::move(phase));
  }
  return phases;
}

Json RegionsJson(const ResultStore& store) {
  Json regions = Json::array();
  for (const results::RegionTotal& region : store.regions) {
    if (regions.size() == kMostRows) break;
    Json row = {{"source", store.sources[region.source].file},
                {"path", region.path},
                {"kind", region.kind},
                {"instances", region.instances},
                {"cpu_s", Seconds(region.cpu_total_ns)},
                {"launches", region.launches_inclusive},
                {"gpu_s", Seconds(region.gpu_inclusive_ns)},
                {"gpu_exclusive_s", Seconds(region.gpu_exclusive_ns)},
                {"gpu_gap_s", Seconds(region.gpu_gap_ns)},
                {"copied_bytes", region.memory_inclusive_bytes}};
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

// Of each source; shares are of all kernels of it.
Json KernelsJson(const ResultStore& store) {
  std::map<results::SourceId, int64_t> totals;
  std::vector<const results::GpuTotal*> kernels;
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    totals[store.devices[kernel.device].source] += kernel.time_total_ns;
    kernels.push_back(&kernel);
  }
  std::stable_sort(kernels.begin(), kernels.end(), [](const auto* a, const auto* b) {
    return a->time_total_ns > b->time_total_ns;
  });
  Json rows = Json::array();
  for (const results::GpuTotal* kernel : kernels) {
    if (rows.size() == kMostRows) break;
    const results::Device& device = store.devices[kernel->device];
    const int64_t total_ns = totals[device.source];
    rows.push_back(
        {{"source", store.sources[device.source].file},
         {"device", device.label},
         {"name", store.names.text(kernel->name)},
         {"launches", kernel->count},
         {"total_s", Seconds(kernel->time_total_ns)},
         {"mean_s", Seconds(kernel->time_total_ns) /
                        static_cast<double>(std::max<int64_t>(1, kernel->count))},
         {"share", total_ns == 0 ? Json()
                                 : Json(static_cast<double>(kernel->time_total_ns) /
                                        static_cast<double>(total_ns))}});
  }
  return rows;
}

Json OperatorsJson(const ResultStore& store) {
  int64_t all_ns = 0;
  std::vector<const results::OperatorTotal*> operators;
  for (const results::OperatorTotal& op : store.operator_totals) {
    all_ns += op.time_self_ns;
    operators.push_back(&op);
  }
  std::stable_sort(operators.begin(), operators.end(), [](const auto* a, const auto* b) {
    return a->time_self_ns > b->time_self_ns;
  });
  Json rows = Json::array();
  for (const results::OperatorTotal* op : operators) {
    if (rows.size() == kMostRows) break;
    rows.push_back({{"source", store.sources[op->source].file},
                    {"name", store.names.text(op->name)},
                    {"calls", op->calls},
                    {"self_s", Seconds(op->time_self_ns)},
                    {"total_s", Seconds(op->time_total_ns)},
                    {"share", all_ns == 0 ? Json()
                                          : Json(static_cast<double>(op->time_self_ns) /
                                                 static_cast<double>(all_ns))}});
  }
  return rows;
}

Json DevicesJson(const ResultStore& store) {
  Json devices = Json::array();
  for (const results::DeviceTime& time : store.device_times) {
    const results::Device& device = store.devices[time.device];
    devices.push_back(
        {{"source", store.sources[device.source].file},
         {"device", device.label},
         {"model", OrNull(device.model)},
         {"span_s", Seconds(time.span_ns)},
         {"busy_s", Seconds(time.busy_ns)},
         {"idle_s", Seconds(time.idle_ns)},
         {"communication_exposed_s", Seconds(time.communication_exposed_ns)}});
  }
  return devices;
}

Json LeftOutJson(const ResultStore& store) {
  Json rows = Json::array();
  for (const results::ImportCounterRow& row : store.import_counters) {
    if (row.count == 0) continue;
    rows.push_back({{"source", store.sources[row.source].file},
                    {"what", results::TextOf(row.counter).sentence},
                    {"count", row.count}});
  }
  return rows;
}

}  // namespace

Json RunReportJson(const artifacts::Manifest& manifest, const ResultStore& store) {
  Json stages = StagesJson(manifest);
  size_t warnings = 0;
  bool is_complete = manifest.state == State::kDone;
  for (const Json& stage : stages) {
    warnings += stage["notes"].size();
    is_complete = is_complete && stage["state"] == ToText(State::kDone);
  }
  Json sources = Json::array();
  for (const results::Source& source : store.sources) {
    sources.push_back({{"file", source.file}, {"format", source.format}});
  }
  return {{"schema_version", kRunReportVersion},
          {"run", RunJson(manifest)},
          {"verdict",
           {{"valid", OrNull(manifest.valid)},
            {"complete", is_complete},
            {"notes", warnings}}},
          {"stages", std::move(stages)},
          {"sources", std::move(sources)},
          {"phases", PhasesJson(store)},
          {"regions", RegionsJson(store)},
          {"kernels", KernelsJson(store)},
          {"operators", OperatorsJson(store)},
          {"devices", DevicesJson(store)},
          {"left_out", LeftOutJson(store)}};
}

}  // namespace ridgeline::reports
