#include "tests/torch_trace/as_reference.h"

#include <filesystem>
#include <string>

#include "tests/reference/renamed.h"

namespace ridgeline::trace_cases {
namespace {

using reference::Percent;
using reference::Renamed;
using reference::RenamedList;
using reference::Stats;

Json Operators(const Json& operators) {
  return {{"count", operators.at("calls")},
          {"distinct", operators.at("distinct")},
          {"top10_by_count", RenamedList(operators.at("top_by_calls"),
                                         {{"name", "name"}, {"calls", "count"}})},
          {"top10_by_total_time",
           RenamedList(
               operators.at("top_by_time"),
               {{"name", "name"}, {"calls", "count"}, {"time_total_ns", "total_ns"}})}};
}

Json Kernels(const Json& kernels) {
  Json to = {{"count", kernels.at("launches")},
             {"total_ns", kernels.at("time_total_ns")}};
  if (kernels.at("launches") == 0) return to;
  to["distinct_names"] = kernels.at("distinct");
  to["duration"] = Stats(kernels.at("duration"));
  to["top10"] = RenamedList(kernels.at("top_by_time"), {{"name", "name"},
                                                        {"launches", "count"},
                                                        {"time_total_ns", "total_ns"},
                                                        {"time_mean_ns", "avg_ns"},
                                                        {"time_min_ns", "min_ns"},
                                                        {"time_max_ns", "max_ns"}});
  for (size_t i = 0; i < to["top10"].size(); ++i) {
    to["top10"][i]["share_pct"] = Percent(kernels.at("top_by_time")[i].at("time_share"));
  }
  return to;
}

Json MemoryOps(const Json& operations) {
  Json to = Json::object();
  for (const Json& operation : operations) {
    to[operation.at("name").get<std::string>()] =
        Renamed(operation, {{"count", "count"}, {"time_total_ns", "total_ns"}});
  }
  return to;
}

Json Device(const Json& device) {
  Json to = Renamed(device, {{"first_start_ns", "first_start_ns"},
                             {"last_end_ns", "last_end_ns"},
                             {"span_ns", "span_ns"},
                             {"busy_ns", "busy_all_ns"},
                             {"busy_kernels_ns", "busy_kernels_ns"},
                             {"idle_ns", "idle_ns"},
                             {"gaps", "n_idle_gaps"},
                             {"gap_max_ns", "largest_idle_gap_ns"},
                             {"compute_union_ns", "compute_union_ns"},
                             {"memory_union_ns", "memops_union_ns"},
                             {"streams", "n_streams"},
                             {"memory_exposed_ns", "exposed_memops_ns"}});
  const Json& communication = device.at("communication");
  if (communication.at("kernels") != 0) {
    to["comm"] =
        Renamed(communication, {{"kernels", "kernels"},
                                {"time_total_ns", "total_ns"},
                                {"union_ns", "union_ns"},
                                {"overlap_with_compute_ns", "overlap_with_compute_ns"},
                                {"exposed_ns", "exposed_ns"}});
    to["comm"]["overlap_pct_of_comm"] = Percent(communication.at("overlap_share"));
  }
  const Json& inside = device.at("launched_inside_trace_only");
  if (inside.at("activities") != 0) {
    to["launched_inside_trace_only"] = Renamed(inside, {{"activities", "gpu_events"},
                                                        {"span_ns", "span_ns"},
                                                        {"busy_ns", "busy_all_ns"},
                                                        {"idle_ns", "idle_ns"}});
  }
  return to;
}

Json Launch(const Json& launch) {
  Json to = Renamed(
      launch, {{"runtime_calls_with_correlation", "runtime_events_with_correlation"},
               {"duplicate_correlations", "duplicate_correlations"},
               {"kernels_matched", "kernels_matched"},
               {"kernels_unmatched", "kernels_unmatched"},
               {"negative_start_to_start", "negative_start_to_start"}});
  to["launch_start_to_kernel_start_ns"] = Stats(launch.at("call_start_to_kernel_start"));
  to["launch_end_to_kernel_start_ns"] = Stats(launch.at("call_end_to_kernel_start"));
  return to;
}

}  // namespace

Json AsReference(const Json& trace) {
  const Json& header = trace.at("header");
  const Json& events = trace.at("events");
  Json to = Renamed(header, {{"top_level_keys", "top_level_keys"},
                             {"trace_schema_version", "schemaVersion"},
                             {"display_time_unit", "displayTimeUnit"},
                             {"gpus", "gpus"},
                             {"rank", "rank"},
                             {"world_size", "world_size"}});
  if (header.at("is_array") == true) to["top_level_keys"] = "<array>";
  to["file"] =
      std::filesystem::path(trace.at("file").get<std::string>()).filename().string();
  to["bytes_on_disk"] = trace.at("bytes_on_disk");
  to["bytes_json"] = trace.at("bytes_json");
  to.update(
      Renamed(events, {{"count", "n_events"},
                       {"by_phase", "by_ph"},
                       {"by_category", "by_cat"},
                       {"complete_with_fractional_ts", "x_events_with_fractional_ts"},
                       {"complete_without_ts_or_dur", "x_events_without_ts_or_dur"}}));
  to["cpu_ops"] = Operators(trace.at("operators"));
  const Json& steps = trace.at("profiler_steps");
  if (!steps.is_null()) {
    to["profiler_steps"] = Renamed(steps, {{"count", "count"}, {"names", "names"}});
    to["profiler_steps"]["duration"] = Stats(steps.at("duration"));
  }
  to["kernels"] = Kernels(trace.at("kernels"));
  to["mem_ops"] = MemoryOps(trace.at("memory_ops"));
  to["devices"] = Json::object();
  for (const Json& device : trace.at("devices")) {
    to["devices"][device.at("device").get<std::string>()] = Device(device);
  }
  to["launch"] = Launch(trace.at("launch"));
  return to;
}

}  // namespace ridgeline::trace_cases
