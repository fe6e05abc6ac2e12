#include "tests/torch_trace/as_reference.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/json.h"

namespace ridgeline::trace_cases {
namespace {

using analysis::AnalyzedTrace;
using reference::Percent;
using reference::Ratio;
using reference::Stats;
using results::DeviceTime;
using results::GpuTotal;
using results::OperatorTotal;

constexpr size_t kTop = 10;

// Everything that the file calls an operator, summed up as the reference does: steps of
// old traces too, and calls inside one of the same name twice.
std::vector<OperatorTotal> PlainSums(const results::TraceRows& rows) {
  std::vector<OperatorTotal> totals(rows.names.size());
  const auto add = [&](const results::ThreadCall& call) {
    totals[call.name].name = call.name;
    ++totals[call.name].calls;
    totals[call.name].time_total_ns += call.duration_ns;
  };
  for (const results::ThreadCall& call : rows.operators) add(call);
  for (const results::ThreadCall& call : rows.annotations) {
    const bool is_step = rows.names.text(call.name).starts_with(results::kProfilerStep);
    if (is_step && rows.counts.steps_called_operators > 0) add(call);
  }
  std::erase_if(totals, [](const OperatorTotal& total) { return total.calls == 0; });
  return totals;
}

// The ten largest by the field; equal ones by name.
std::vector<OperatorTotal> Top(std::vector<OperatorTotal> totals, const StringPool& names,
                               int64_t OperatorTotal::*field) {
  std::stable_sort(totals.begin(), totals.end(), [&](const auto& a, const auto& b) {
    if (a.*field != b.*field) return a.*field > b.*field;
    return names.text(a.name) < names.text(b.name);
  });
  totals.resize(std::min(kTop, totals.size()));
  return totals;
}

Json Operators(const AnalyzedTrace& trace) {
  const std::vector<OperatorTotal> sums = PlainSums(trace.rows);
  const StringPool& names = trace.rows.names;
  Json by_count = Json::array();
  for (const OperatorTotal& total : Top(sums, names, &OperatorTotal::calls)) {
    by_count.push_back({{"name", names.text(total.name)}, {"count", total.calls}});
  }
  Json by_time = Json::array();
  for (const OperatorTotal& total : Top(sums, names, &OperatorTotal::time_total_ns)) {
    by_time.push_back({{"name", names.text(total.name)},
                       {"count", total.calls},
                       {"total_ns", total.time_total_ns}});
  }
  return {{"count",
           std::ssize(trace.rows.operators) + trace.rows.counts.steps_called_operators},
          {"distinct", sums.size()},
          {"top10_by_count", std::move(by_count)},
          {"top10_by_total_time", std::move(by_time)}};
}

Json Kernels(const AnalyzedTrace& trace) {
  const auto& duration = trace.findings.kernel_duration;
  if (!duration) return {{"count", 0}, {"total_ns", 0}};
  const std::vector<GpuTotal>& totals = trace.findings.kernels_over_devices;
  Json top = Json::array();
  for (const GpuTotal& total : totals) {
    if (top.size() == kTop) break;
    top.push_back({{"name", trace.rows.names.text(total.name)},
                   {"count", total.count},
                   {"total_ns", total.time_total_ns},
                   {"avg_ns", Ratio(total.time_total_ns, total.count)},
                   {"min_ns", total.time_min_ns},
                   {"max_ns", total.time_max_ns},
                   {"share_pct", Percent(total.time_total_ns, duration->total_ns)}});
  }
  return {{"count", duration->count},
          {"total_ns", duration->total_ns},
          {"distinct_names", totals.size()},
          {"duration", Stats(duration)},
          {"top10", std::move(top)}};
}

Json MemoryOps(const AnalyzedTrace& trace) {
  Json to = Json::object();
  for (const GpuTotal& total : trace.findings.memory_ops_over_devices) {
    to[std::string(trace.rows.names.text(total.name))] = {
        {"count", total.count}, {"total_ns", total.time_total_ns}};
  }
  return to;
}

Json Communication(const DeviceTime& time) {
  const int64_t overlap_ns = time.communication_ns - time.communication_exposed_ns;
  return {{"kernels", time.communication_count},
          {"total_ns", time.communication_total_ns},
          {"union_ns", time.communication_ns},
          {"overlap_with_compute_ns", overlap_ns},
          {"exposed_ns", time.communication_exposed_ns},
          {"overlap_pct_of_comm", Percent(overlap_ns, time.communication_ns)}};
}

Json Device(const DeviceTime& time) {
  Json to = {{"first_start_ns", time.first_start_ns},
             {"last_end_ns", time.last_end_ns},
             {"span_ns", time.span_ns},
             {"busy_all_ns", time.busy_ns},
             {"busy_kernels_ns", time.busy_kernels_ns},
             {"idle_ns", time.idle_ns},
             {"n_idle_gaps", time.gap_count},
             {"largest_idle_gap_ns", time.gap_max_ns},
             {"compute_union_ns", time.compute_ns},
             {"memops_union_ns", time.memory_ns},
             {"n_streams", time.stream_count},
             {"exposed_memops_ns", time.memory_exposed_ns}};
  if (time.communication_count != 0) to["comm"] = Communication(time);
  if (time.launched_inside_count != 0) {
    to["launched_inside_trace_only"] = {{"gpu_events", time.launched_inside_count},
                                        {"span_ns", time.launched_inside_span_ns},
                                        {"busy_all_ns", time.launched_inside_busy_ns},
                                        {"idle_ns", time.launched_inside_idle_ns}};
  }
  return to;
}

Json Devices(const AnalyzedTrace& trace) {
  Json to = Json::object();
  for (const DeviceTime& time : trace.findings.devices) {
    to[trace.rows.devices[time.device]] = Device(time);
  }
  return to;
}

Json Launch(const analysis::LaunchDelays& launch) {
  return {{"runtime_events_with_correlation", launch.runtime_calls_with_correlation},
          {"duplicate_correlations", launch.duplicate_correlations},
          {"kernels_matched", launch.kernels_matched},
          {"kernels_unmatched", launch.kernels_unmatched},
          {"negative_start_to_start", launch.negative_start_to_start},
          {"launch_start_to_kernel_start_ns", Stats(launch.start_to_start)},
          {"launch_end_to_kernel_start_ns", Stats(launch.end_to_start)}};
}

Json Header(const results::TraceHeader& header) {
  return {{"top_level_keys", header.is_array ? Json("<array>") : Json(header.keys)},
          {"schemaVersion", OrNull(header.schema_version)},
          {"displayTimeUnit", OrNull(header.display_time_unit)},
          {"gpus", header.gpu_names.empty() ? Json() : Json(header.gpu_names)},
          {"rank", OrNull(header.rank)},
          {"world_size", OrNull(header.world_size)}};
}

}  // namespace

Json AsReference(const AnalyzedTrace& trace) {
  const results::TraceCounts& counts = trace.rows.counts;
  Json to = Header(trace.rows.header);
  to["file"] = std::filesystem::path(trace.info.file).filename().string();
  to["bytes_on_disk"] = trace.info.file_bytes;
  to["bytes_json"] = trace.rows.text_bytes;
  to["n_events"] = counts.events;
  to["by_ph"] = counts.by_phase;
  to["by_cat"] = counts.by_category;
  to["x_events_with_fractional_ts"] = counts.complete_with_fractional_ts;
  to["x_events_without_ts_or_dur"] =
      trace.rows.left_out.Get(results::DropReason::kTimeMissing);
  to["cpu_ops"] = Operators(trace);
  const analysis::ProfilerSteps& steps = trace.findings.steps;
  if (!steps.names.empty()) {
    to["profiler_steps"] = {{"count", steps.names.size()},
                            {"names", steps.names},
                            {"duration", Stats(steps.duration)}};
  }
  to["kernels"] = Kernels(trace);
  to["mem_ops"] = MemoryOps(trace);
  to["devices"] = Devices(trace);
  to["launch"] = Launch(trace.findings.launch);
  return to;
}

}  // namespace ridgeline::trace_cases
