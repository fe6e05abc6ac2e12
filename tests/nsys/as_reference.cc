#include "tests/nsys/as_reference.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/json.h"

namespace ridgeline::nsys_cases {
namespace {

using analysis::AnalyzedExport;
using reference::Percent;
using reference::Ratio;
using reference::Stats;
using results::DeviceTime;
using results::GpuTotal;

constexpr size_t kTop = 10;

Json Top(const std::vector<GpuTotal>& totals, const StringPool& names, int64_t whole_ns) {
  Json to = Json::array();
  for (const GpuTotal& total : totals) {
    if (to.size() == kTop) break;
    to.push_back({{"name", names.text(total.name)},
                  {"count", total.count},
                  {"total_ns", total.time_total_ns},
                  {"avg_ns", Ratio(total.time_total_ns, total.count)},
                  {"min_ns", total.time_min_ns},
                  {"max_ns", total.time_max_ns},
                  {"share_pct", Percent(total.time_total_ns, whole_ns)}});
  }
  return to;
}

Json Kernels(const AnalyzedExport& profile) {
  const analysis::NsysFindings& findings = profile.findings;
  const StringPool& names = profile.rows.names;
  const analysis::DurationStats& duration = *findings.kernel_duration;
  return {
      {"count", duration.count},
      {"total_ns", duration.total_ns},
      {"distinct_demangled", findings.kernels_over_devices.size()},
      {"distinct_short", findings.short_kernels_over_devices.size()},
      {"distinct_demangled_grid_block", findings.distinct_shapes},
      {"zero_or_negative",
       findings.kernels_of_no_duration + profile.rows.kernels_of_negative_duration},
      {"duration", Stats(duration)},
      {"top10_demangled", Top(findings.kernels_over_devices, names, duration.total_ns)},
      {"top10_short",
       Top(findings.short_kernels_over_devices, names, duration.total_ns)}};
}

void AddMemoryOps(const AnalyzedExport& profile, Json& to) {
  for (const analysis::MemoryOpTotal& op : profile.findings.memory_ops_over_devices) {
    const Json fields = {{"count", op.total.count},
                         {"total_ns", op.total.time_total_ns},
                         {"bytes", OrNull(op.total.bytes)}};
    if (op.kind == results::GpuActivityKind::kMemset) {
      to["memset"] = fields;
    } else {
      to["memcpy"][std::string(profile.rows.names.text(op.total.name))] = fields;
    }
  }
}

Json Communication(const DeviceTime& time) {
  const int64_t overlap_ns = time.communication_ns - time.communication_exposed_ns;
  return {{"count", time.communication_count},
          {"total_ns", time.communication_total_ns},
          {"union_ns", time.communication_ns},
          {"overlap_ns", overlap_ns},
          {"exposed_ns", time.communication_exposed_ns},
          {"compute_union_ns", time.compute_ns},
          {"overlap_pct_of_comm", Percent(overlap_ns, time.communication_ns)}};
}

Json Device(const analysis::NsysDevice& device) {
  const DeviceTime& time = device.time;
  Json to = {{"first_start", time.first_start_ns},
             {"last_end", time.last_end_ns},
             {"span_ns", time.span_ns},
             {"busy_kernels_ns", time.busy_kernels_ns},
             {"busy_kernels_graphs_ns", device.busy_kernels_graphs_ns},
             {"busy_all_ns", time.busy_ns},
             {"idle_ns", time.idle_ns},
             {"n_idle_gaps", time.gap_count},
             {"largest_idle_gap_ns", time.gap_max_ns},
             {"n_streams", time.stream_count},
             {"kernel_span_ns", device.kernel_span_ns},
             {"kernel_idle_ns", device.kernel_idle_ns}};
  if (time.communication_count != 0) to["comm"] = Communication(time);
  return to;
}

Json Devices(const AnalyzedExport& profile) {
  Json to = Json::object();
  for (const analysis::NsysDevice& device : profile.findings.devices) {
    to[profile.rows.devices[device.time.device].label] = Device(device);
  }
  return to;
}

Json Launch(const analysis::NsysFindings& findings) {
  const analysis::LaunchDelays& launch = findings.launch;
  return {{"kernels_matched", launch.kernels_matched},
          {"kernels_unmatched", launch.kernels_unmatched},
          {"runtime_calls", launch.runtime_calls_with_correlation},
          {"duplicate_correlation_keys", launch.duplicate_correlations},
          {"kernels_started_before_api_returned", findings.kernels_begun_before_return},
          {"api_start_to_kernel_start", Stats(launch.start_to_start)},
          {"api_end_to_kernel_start", Stats(launch.end_to_start)}};
}

template <typename Value>
Json ByNumber(const std::map<int64_t, Value>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[std::to_string(key)] = value;
  return json;
}

Json Nvtx(const AnalyzedExport& profile) {
  const results::NsysNvtxCounts& counts = profile.rows.nvtx;
  const analysis::NvtxTotals& totals = profile.findings.nvtx;
  return {{"rows", counts.rows},
          {"by_event_type", ByNumber(counts.by_event_type)},
          {"closed_ranges", totals.closed_ranges},
          {"open_ranges", ByNumber(counts.open_by_event_type)},
          {"distinct_names", totals.by_name.size()},
          {"ranges_per_domain", ByNumber(totals.ranges_by_domain)},
          {"domains", ByNumber(totals.domains)},
          {"text_inline", counts.text_inline},
          {"text_by_id", counts.text_by_id},
          {"top10", Top(totals.by_name, profile.rows.names, totals.time_total_ns)}};
}

// The longest kernels first; of equal ones the name decides.
Json NvtxKernels(const AnalyzedExport& profile) {
  std::vector<analysis::NvtxNameTotal> names = profile.findings.regions.names;
  const StringPool& texts = profile.rows.names;
  std::sort(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    if (a.kernel_time_ns != b.kernel_time_ns) return a.kernel_time_ns > b.kernel_time_ns;
    return texts.text(a.name) < texts.text(b.name);
  });
  names.resize(std::min(kTop, names.size()));
  Json top = Json::array();
  for (const analysis::NvtxNameTotal& name : names) {
    top.push_back({{"name", texts.text(name.name)},
                   {"kernels", name.kernels},
                   {"kernel_time_ns", name.kernel_time_ns},
                   {"gpu_ops", name.gpu_ops},
                   {"instances_with_gpu_ops", name.instances_with_gpu_ops},
                   {"projection_total_ns", name.gpu_span_ns}});
  }
  return {{"kernels_inside_any_pushpop", profile.findings.regions.kernels_inside},
          {"top10", std::move(top)}};
}

Json Has(const std::vector<std::string>& tables) {
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

Json Header(const AnalyzedExport& profile) {
  const results::NsysHeader& header = profile.rows.header;
  Json to = {{"export_version", OrNull(header.export_version)},
             {"schema_version", OrNull(header.schema_version)},
             {"file", std::filesystem::path(profile.info.file).filename().string()},
             {"bytes", profile.info.file_bytes},
             {"n_tables", header.tables.size()},
             {"has", Has(header.tables)}};
  if (header.meta_table) to["meta_table"] = *header.meta_table;
  if (header.gpu_names) to["gpus"] = *header.gpu_names;
  return to;
}

}  // namespace

Json ExportAsReference(const AnalyzedExport& profile) {
  const analysis::NsysFindings& findings = profile.findings;
  Json to = Header(profile);
  const bool has_kernels = findings.kernel_duration.has_value();
  if (has_kernels) to["kernels"] = Kernels(profile);
  AddMemoryOps(profile, to);
  if (findings.graph_launches != 0) {
    to["graph_trace"] = {{"count", findings.graph_launches},
                         {"total_ns", findings.graph_total_ns},
                         {"distinct_graphs", profile.rows.graphs.size()}};
  }
  to["devices"] = Devices(profile);
  const bool has_calls = to["has"]["CUPTI_ACTIVITY_KIND_RUNTIME"] == true;
  if (has_kernels && has_calls) to["launch"] = Launch(findings);
  if (to["has"]["NVTX_EVENTS"] == false) return to;
  to["nvtx"] = Nvtx(profile);
  if (has_kernels && has_calls) to["nvtx_kernels"] = NvtxKernels(profile);
  return to;
}

Json SummaryAsReference(const analysis::AnalyzedSummary& profile) {
  int64_t launches = 0, total_ns = 0, rows_max = 0;
  for (const analysis::SummarizedKernel& kernel : profile.findings) {
    launches += kernel.total.count;
    total_ns += kernel.total.time_total_ns;
    rows_max = std::max(rows_max, kernel.rows);
  }
  Json top = Json::array();
  for (const analysis::SummarizedKernel& kernel : profile.findings) {
    if (top.size() == kTop) break;
    top.push_back({{"name", profile.rows.names.text(kernel.total.name)},
                   {"rows", kernel.rows},
                   {"instances", kernel.total.count},
                   {"total_ns", kernel.total.time_total_ns},
                   {"share_pct", Percent(kernel.total.time_total_ns, total_ns)},
                   {"csv_time_pct", 100 * kernel.told_share}});
  }
  return {{"header", profile.rows.header},
          {"preamble_lines", profile.rows.preamble_lines},
          {"time_unit", profile.rows.time_unit},
          {"rows", profile.rows.rows.size()},
          {"distinct_names", profile.findings.size()},
          {"rows_per_name_max", rows_max},
          {"instances", launches},
          {"total_ns", total_ns},
          {"top10", std::move(top)}};
}

}  // namespace ridgeline::nsys_cases
