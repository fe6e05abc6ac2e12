#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/summaries/json_parts.h"
#include "report/summaries/profile_json.h"

namespace ridgeline::summaries {
namespace {

using analysis::DurationStats;
using Json = nlohmann::ordered_json;

Json HeaderJson(const results::TraceHeader& header) {
  return {{"is_array", header.is_array},
          {"top_level_keys", header.keys},
          {"trace_schema_version", OrNull(header.schema_version)},
          {"display_time_unit", OrNull(header.display_time_unit)},
          {"gpus", header.gpu_names.empty() ? Json() : Json(header.gpu_names)},
          {"rank", OrNull(header.rank)},
          {"world_size", OrNull(header.world_size)},
          {"time_base_ns", OrNull(header.time_base_ns)}};
}

// The most frequent first.
Json CountsJson(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Json json = Json::object();
  for (const auto& [name, count] : sorted) json[name] = count;
  return json;
}

Json EventsJson(const results::TraceRows& rows) {
  return {{"count", rows.counts.events},
          {"by_phase", CountsJson(rows.counts.by_phase)},
          {"by_category", CountsJson(rows.counts.by_category)},
          {"categories_not_read", CountsJson(rows.counts.categories_not_read)},
          {"complete_with_fractional_ts", rows.counts.complete_with_fractional_ts},
          {"complete_without_ts_or_dur",
           rows.left_out.Get(results::ImportCounter::kTimeMissing)}};
}

using OperatorTotals = std::vector<results::OperatorTotal>;

// The first `top` when the field decides, equal ones by name.
Json TopOperators(OperatorTotals totals, const StringPool& names, size_t top,
                  int64_t results::OperatorTotal::*field) {
  std::stable_sort(totals.begin(), totals.end(), [&](const auto& a, const auto& b) {
    if (a.*field != b.*field) return a.*field > b.*field;
    return names.text(a.name) < names.text(b.name);
  });
  Json list = Json::array();
  for (const results::OperatorTotal& total : totals) {
    if (list.size() == top) break;
    list.push_back({{"name", names.text(total.name)},
                    {"calls", total.calls},
                    {"time_total_ns", total.time_total_ns},
                    {"time_self_ns", total.time_self_ns},
                    {"time_min_ns", total.time_min_ns},
                    {"time_max_ns", total.time_max_ns}});
  }
  return list;
}

Json OperatorsJson(const analysis::AnalyzedTrace& trace, size_t top) {
  const OperatorTotals& totals = trace.findings.operators;
  const StringPool& names = trace.rows.names;
  using Total = results::OperatorTotal;
  return {{"calls", trace.rows.operators.size()},
          {"distinct", totals.size()},
          {"top_by_calls", TopOperators(totals, names, top, &Total::calls)},
          {"top_by_time", TopOperators(totals, names, top, &Total::time_total_ns)},
          {"top_by_self_time", TopOperators(totals, names, top, &Total::time_self_ns)}};
}

Json StepsJson(const analysis::ProfilerSteps& steps) {
  if (steps.names.empty()) return {};
  return {{"count", steps.names.size()},
          {"names", steps.names},
          {"duration", StatsJson(steps.duration)}};
}

Json KernelsJson(const analysis::AnalyzedTrace& trace, size_t top) {
  const std::vector<results::GpuTotal>& totals = trace.findings.kernels_over_devices;
  const std::optional<DurationStats>& duration = trace.findings.kernel_duration;
  const int64_t total_ns = duration ? duration->total_ns : 0;
  Json list = Json::array();
  for (const results::GpuTotal& total : totals) {
    if (list.size() == top) break;
    list.push_back({{"name", trace.rows.names.text(total.name)},
                    {"launches", total.count},
                    {"time_total_ns", total.time_total_ns},
                    {"time_mean_ns", ShareOf(total.time_total_ns, total.count)},
                    {"time_min_ns", total.time_min_ns},
                    {"time_max_ns", total.time_max_ns},
                    {"time_share", ShareOf(total.time_total_ns, total_ns)}});
  }
  return {{"launches", duration ? duration->count : 0},
          {"time_total_ns", total_ns},
          {"distinct", totals.size()},
          {"duration", StatsJson(duration)},
          {"top_by_time", std::move(list)}};
}

Json MemoryOpsJson(const analysis::AnalyzedTrace& trace) {
  Json list = Json::array();
  for (const results::GpuTotal& total : trace.findings.memory_ops_over_devices) {
    list.push_back({{"name", trace.rows.names.text(total.name)},
                    {"count", total.count},
                    {"time_total_ns", total.time_total_ns},
                    {"time_min_ns", total.time_min_ns},
                    {"time_max_ns", total.time_max_ns}});
  }
  return list;
}

Json DeviceJson(const results::DeviceTime& time, const results::TraceRows& rows) {
  const std::string& label = rows.devices[time.device];
  const auto model = rows.header.gpu_name_of_device.find(label);
  const bool has_model = model != rows.header.gpu_name_of_device.end();
  Json json = {{"device", label}, {"model", has_model ? Json(model->second) : Json()}};
  json.update(DeviceTimeJson(time));
  return json;
}

}  // namespace

Json ToJson(const analysis::AnalyzedTrace& trace, size_t top) {
  Json devices = Json::array();
  for (const results::DeviceTime& time : trace.findings.devices) {
    devices.push_back(DeviceJson(time, trace.rows));
  }
  return {{"file", trace.info.file},
          {"format", trace.info.format},
          {"bytes_on_disk", trace.info.file_bytes},
          {"bytes_json", trace.rows.text_bytes},
          {"header", HeaderJson(trace.rows.header)},
          {"events", EventsJson(trace.rows)},
          {"operators", OperatorsJson(trace, top)},
          {"profiler_steps", StepsJson(trace.findings.steps)},
          {"kernels", KernelsJson(trace, top)},
          {"memory_ops", MemoryOpsJson(trace)},
          {"devices", std::move(devices)},
          {"launch", LaunchJson(trace.findings.launch)},
          {"left_out", LeftOutJson(trace.rows.left_out)}};
}

Json ToJson(const analysis::AnalyzedProfile& profile, size_t top) {
  return std::visit([top](const auto& known) { return ToJson(known, top); }, profile);
}

}  // namespace ridgeline::summaries
