#include "tests/nsys/as_reference.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/reference/renamed.h"

namespace ridgeline::nsys_cases {
namespace {

using reference::Percent;
using reference::Renamed;
using reference::Stats;

Json Top(const Json& list) {
  Json to = Json::array();
  for (const Json& item : list) {
    to.push_back(Renamed(item, {{"name", "name"},
                                {"count", "count"},
                                {"time_total_ns", "total_ns"},
                                {"time_mean_ns", "avg_ns"},
                                {"time_min_ns", "min_ns"},
                                {"time_max_ns", "max_ns"}}));
    to.back()["share_pct"] = Percent(item.at("time_share"));
  }
  return to;
}

Json Kernels(const Json& kernels) {
  Json to =
      Renamed(kernels, {{"launches", "count"},
                        {"time_total_ns", "total_ns"},
                        {"distinct", "distinct_demangled"},
                        {"distinct_short", "distinct_short"},
                        {"distinct_with_grid_and_block", "distinct_demangled_grid_block"},
                        {"of_no_or_negative_duration", "zero_or_negative"}});
  to["duration"] = Stats(kernels.at("duration"));
  to["top10_demangled"] = Top(kernels.at("top_by_time"));
  to["top10_short"] = Top(kernels.at("top_short_by_time"));
  return to;
}

void AddMemoryOps(const Json& operations, Json& to) {
  for (const Json& operation : operations) {
    const Json fields =
        Renamed(operation,
                {{"count", "count"}, {"time_total_ns", "total_ns"}, {"bytes", "bytes"}});
    if (operation.at("kind") == "memset") {
      to["memset"] = fields;
    } else {
      to["memcpy"][operation.at("name").get<std::string>()] = fields;
    }
  }
}

Json Device(const Json& device) {
  Json to = Renamed(device, {{"first_start_ns", "first_start"},
                             {"last_end_ns", "last_end"},
                             {"span_ns", "span_ns"},
                             {"busy_kernels_ns", "busy_kernels_ns"},
                             {"busy_kernels_graphs_ns", "busy_kernels_graphs_ns"},
                             {"busy_ns", "busy_all_ns"},
                             {"idle_ns", "idle_ns"},
                             {"gaps", "n_idle_gaps"},
                             {"gap_max_ns", "largest_idle_gap_ns"},
                             {"streams", "n_streams"},
                             {"kernel_span_ns", "kernel_span_ns"},
                             {"kernel_idle_ns", "kernel_idle_ns"}});
  const Json& communication = device.at("communication");
  if (communication.at("kernels") == 0) return to;
  to["comm"] = Renamed(communication, {{"kernels", "count"},
                                       {"time_total_ns", "total_ns"},
                                       {"union_ns", "union_ns"},
                                       {"overlap_with_compute_ns", "overlap_ns"},
                                       {"exposed_ns", "exposed_ns"}});
  to["comm"]["compute_union_ns"] = device.at("compute_union_ns");
  to["comm"]["overlap_pct_of_comm"] = Percent(communication.at("overlap_share"));
  return to;
}

Json Launch(const Json& launch) {
  Json to = Renamed(
      launch, {{"kernels_matched", "kernels_matched"},
               {"kernels_unmatched", "kernels_unmatched"},
               {"runtime_calls_with_correlation", "runtime_calls"},
               {"duplicate_correlations", "duplicate_correlation_keys"},
               {"kernels_begun_before_return", "kernels_started_before_api_returned"}});
  to["api_start_to_kernel_start"] = Stats(launch.at("call_start_to_kernel_start"));
  to["api_end_to_kernel_start"] = Stats(launch.at("call_end_to_kernel_start"));
  return to;
}

Json Nvtx(const Json& nvtx) {
  Json to = Renamed(nvtx, {{"rows", "rows"},
                           {"by_event_type", "by_event_type"},
                           {"closed_ranges", "closed_ranges"},
                           {"open_ranges", "open_ranges"},
                           {"distinct_names", "distinct_names"},
                           {"ranges_by_domain", "ranges_per_domain"},
                           {"domains", "domains"},
                           {"text_inline", "text_inline"},
                           {"text_by_id", "text_by_id"}});
  to["top10"] = Top(nvtx.at("top_by_time"));
  return to;
}

Json NvtxKernels(const Json& nvtx) {
  Json to = {{"kernels_inside_any_pushpop", nvtx.at("kernels_inside")}};
  to["top10"] = Json::array();
  for (const Json& name : nvtx.at("top_by_kernel_time")) {
    to["top10"].push_back(
        Renamed(name, {{"name", "name"},
                       {"kernels", "kernels"},
                       {"kernel_time_ns", "kernel_time_ns"},
                       {"gpu_ops", "gpu_ops"},
                       {"instances_with_gpu_ops", "instances_with_gpu_ops"},
                       {"gpu_span_ns", "projection_total_ns"}}));
  }
  return to;
}

Json Has(const Json& tables) {
  Json to = Json::object();
  for (const char* const table :
       {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "NVTX_EVENTS", "StringIds", "OSRT_API",
        "TARGET_INFO_GPU"}) {
    to[table] = std::find(tables.begin(), tables.end(), table) != tables.end();
  }
  return to;
}

std::string FileName(const Json& profile) {
  return std::filesystem::path(profile.at("file").get<std::string>()).filename();
}

}  // namespace

Json ExportAsReference(const Json& profile) {
  const Json& header = profile.at("header");
  Json to = Renamed(header, {{"export_version", "export_version"},
                             {"schema_version", "schema_version"}});
  to["file"] = FileName(profile);
  to["bytes"] = profile.at("bytes_on_disk");
  to["n_tables"] = header.at("tables").size();
  to["has"] = Has(header.at("tables"));
  if (!header.at("meta_table").is_null()) to["meta_table"] = header.at("meta_table");
  if (!header.at("gpus").is_null()) to["gpus"] = header.at("gpus");
  const bool has_kernels = profile.at("kernels").at("launches") != 0;
  if (has_kernels) to["kernels"] = Kernels(profile.at("kernels"));
  AddMemoryOps(profile.at("memory_ops"), to);
  if (profile.at("graphs").at("launches") != 0) {
    to["graph_trace"] = Renamed(profile.at("graphs"), {{"launches", "count"},
                                                       {"time_total_ns", "total_ns"},
                                                       {"distinct", "distinct_graphs"}});
  }
  to["devices"] = Json::object();
  for (const Json& device : profile.at("devices")) {
    to["devices"][device.at("device").get<std::string>()] = Device(device);
  }
  const bool has_calls = to["has"]["CUPTI_ACTIVITY_KIND_RUNTIME"] == true;
  if (has_kernels && has_calls) to["launch"] = Launch(profile.at("launch"));
  if (to["has"]["NVTX_EVENTS"] == false) return to;
  to["nvtx"] = Nvtx(profile.at("nvtx"));
  if (has_kernels && has_calls) to["nvtx_kernels"] = NvtxKernels(profile.at("nvtx"));
  return to;
}

Json SummaryAsReference(const Json& profile) {
  const Json& kernels = profile.at("kernels");
  Json to = Renamed(profile, {{"columns", "header"},
                              {"preamble_lines", "preamble_lines"},
                              {"time_unit", "time_unit"},
                              {"rows", "rows"}});
  to.update(Renamed(kernels, {{"distinct", "distinct_names"},
                              {"rows_per_name_max", "rows_per_name_max"},
                              {"launches", "instances"},
                              {"time_total_ns", "total_ns"}}));
  to["top10"] = Json::array();
  for (const Json& kernel : kernels.at("top_by_time")) {
    to["top10"].push_back(Renamed(kernel, {{"name", "name"},
                                           {"rows", "rows"},
                                           {"launches", "instances"},
                                           {"time_total_ns", "total_ns"}}));
    to["top10"].back()["share_pct"] = Percent(kernel.at("time_share"));
    to["top10"].back()["csv_time_pct"] = Percent(kernel.at("time_share_told"));
  }
  return to;
}

}  // namespace ridgeline::nsys_cases
