#include <algorithm>
#include <string>
#include <vector>

#include "report/summaries/json_parts.h"
#include "report/summaries/profile_json.h"

namespace ridgeline::summaries {
namespace {

using analysis::GpuWork;
using results::GpuTotal;
using Json = nlohmann::ordered_json;

Json TotalsJson(const std::vector<GpuTotal>& totals, const StringPool& names,
                int64_t whole_ns, size_t top) {
  Json list = Json::array();
  for (const GpuTotal& total : totals) {
    if (list.size() == top) break;
    list.push_back({{"name", names.text(total.name)},
                    {"count", total.count},
                    {"time_total_ns", total.time_total_ns},
                    {"time_mean_ns", ShareOf(total.time_total_ns, total.count)},
                    {"time_min_ns", total.time_min_ns},
                    {"time_max_ns", total.time_max_ns},
                    {"time_share", ShareOf(total.time_total_ns, whole_ns)}});
  }
  return list;
}

Json HeaderJson(const results::NsysHeader& header) {
  Json gpu_of_device = Json::object();
  for (const auto& [device, name] : header.gpu_name_of_device) {
    gpu_of_device[std::to_string(device)] = name;
  }
  Json diagnostics = Json::array();
  for (const results::NsysHeader::Diagnostic& diagnostic : header.diagnostics) {
    diagnostics.push_back({{"severity", diagnostic.is_error ? "error" : "warning"},
                           {"text", diagnostic.text}});
  }
  return {{"tables", header.tables},
          {"meta_table", OrNull(header.meta_table)},
          {"export_version", OrNull(header.export_version)},
          {"schema_version", OrNull(header.schema_version)},
          {"gpus", OrNull(header.gpu_names)},
          {"gpu_of_device", std::move(gpu_of_device)},
          {"diagnostics", std::move(diagnostics)},
          {"environment_values", header.environment_values},
          {"environment_secrets", header.environment_secrets}};
}

Json KernelsJson(const analysis::AnalyzedExport& imported, size_t top) {
  const analysis::NsysFindings& findings = imported.findings;
  const StringPool& names = imported.rows.names;
  const auto& duration = findings.kernel_duration;
  const int64_t total_ns = duration ? duration->total_ns : 0;
  return {
      {"launches", duration ? duration->count : 0},
      {"time_total_ns", total_ns},
      {"distinct", findings.kernels_over_devices.size()},
      {"distinct_short", findings.short_kernels_over_devices.size()},
      {"distinct_with_grid_and_block", findings.distinct_shapes},
      {"duration", StatsJson(duration)},
      {"of_no_or_negative_duration",
       findings.kernels_of_no_duration + imported.rows.kernels_of_negative_duration},
      {"top_by_time", TotalsJson(findings.kernels_over_devices, names, total_ns, top)},
      {"top_short_by_time",
       TotalsJson(findings.short_kernels_over_devices, names, total_ns, top)}};
}

Json MemoryOpsJson(const analysis::AnalyzedExport& imported) {
  Json list = Json::array();
  for (const analysis::MemoryOpTotal& op : imported.findings.memory_ops_over_devices) {
    list.push_back({{"kind", NameOf(op.kind)},
                    {"name", imported.rows.names.text(op.total.name)},
                    {"count", op.total.count},
                    {"time_total_ns", op.total.time_total_ns},
                    {"bytes", OrNull(op.total.bytes)}});
  }
  return list;
}

Json DevicesJson(const analysis::AnalyzedExport& imported) {
  Json list = Json::array();
  for (const analysis::NsysDevice& device : imported.findings.devices) {
    const results::NsysGpu& gpu = imported.rows.devices[device.time.device];
    Json json = {{"device", gpu.label}, {"model", OrNull(gpu.model)}};
    json.update(DeviceTimeJson(device.time));
    json["graph_launches"] = device.time.graph_count;
    json["graph_time_total_ns"] = device.time.graph_total_ns;
    json["busy_kernels_graphs_ns"] = device.busy_kernels_graphs_ns;
    json["kernel_span_ns"] = device.kernel_span_ns;
    json["kernel_idle_ns"] = device.kernel_idle_ns;
    list.push_back(std::move(json));
  }
  return list;
}

Json CountsJson(const std::map<int64_t, int64_t>& counts) {
  Json json = Json::object();
  for (const auto& [key, count] : counts) json[std::to_string(key)] = count;
  return json;
}

// The longest kernels first; of equal ones the name decides.
Json NvtxGpuJson(const analysis::AnalyzedExport& imported, size_t top) {
  std::vector<analysis::NvtxNameTotal> names = imported.findings.regions.names;
  const StringPool& texts = imported.rows.names;
  std::sort(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    if (a.kernel_time_ns != b.kernel_time_ns) return a.kernel_time_ns > b.kernel_time_ns;
    return texts.text(a.name) < texts.text(b.name);
  });
  Json list = Json::array();
  for (const analysis::NvtxNameTotal& name : names) {
    if (list.size() == top) break;
    list.push_back({{"name", texts.text(name.name)},
                    {"kernels", name.kernels},
                    {"kernel_time_ns", name.kernel_time_ns},
                    {"gpu_ops", name.gpu_ops},
                    {"instances_with_gpu_ops", name.instances_with_gpu_ops},
                    {"gpu_span_ns", name.gpu_span_ns}});
  }
  return list;
}

Json NvtxJson(const analysis::AnalyzedExport& imported, size_t top) {
  const results::NsysNvtxCounts& counts = imported.rows.nvtx;
  const analysis::NvtxTotals& totals = imported.findings.nvtx;
  Json domains = Json::object();
  for (const auto& [id, name] : totals.domains) domains[std::to_string(id)] = name;
  return {{"rows", counts.rows},
          {"by_event_type", CountsJson(counts.by_event_type)},
          {"closed_ranges", totals.closed_ranges},
          {"open_ranges", CountsJson(counts.open_by_event_type)},
          {"distinct_names", totals.by_name.size()},
          {"ranges_by_domain", CountsJson(totals.ranges_by_domain)},
          {"domains", std::move(domains)},
          {"text_inline", counts.text_inline},
          {"text_by_id", counts.text_by_id},
          {"top_by_time",
           TotalsJson(totals.by_name, imported.rows.names, totals.time_total_ns, top)},
          {"kernels_inside", imported.findings.regions.kernels_inside},
          {"top_by_kernel_time", NvtxGpuJson(imported, top)}};
}

Json WorkJson(const GpuWork& work) {
  return {{"launches", work.launches},
          {"gpu_ns", work.gpu_ns},
          {"memory_ops", work.memory_ops},
          {"memory_ns", work.memory_ns},
          {"memory_bytes", work.memory_bytes}};
}

Json SpreadJson(const std::optional<results::InstanceSpread>& spread) {
  if (!spread) return nullptr;
  return {{"min_ns", spread->min_ns},
          {"median_ns", spread->median_ns},
          {"p99_ns", spread->p99_ns},
          {"max_ns", spread->max_ns}};
}

Json RegionsJson(const analysis::RegionFindings& findings, size_t top) {
  Json list = Json::array();
  for (const results::RegionTotal& region : findings.regions) {
    if (list.size() == top) break;
    list.push_back({{"path", region.path},
                    {"kind", region.kind},
                    {"instances", region.instances},
                    {"cpu_total_ns", region.cpu_total_ns},
                    {"launches", region.launches},
                    {"launches_inclusive", region.launches_inclusive},
                    {"gpu_exclusive_ns", region.gpu_exclusive_ns},
                    {"gpu_inclusive_ns", region.gpu_inclusive_ns},
                    {"memory_exclusive_bytes", region.memory_exclusive_bytes},
                    {"memory_inclusive_bytes", region.memory_inclusive_bytes},
                    {"gpu_span_ns", OrNull(region.gpu_span_ns)},
                    {"gpu_gap_ns", OrNull(region.gpu_gap_ns)},
                    {"cpu_instance", SpreadJson(region.cpu_instance)},
                    {"gpu_span_instance", SpreadJson(region.gpu_span_instance)}});
  }
  return {{"distinct", findings.regions.size()},
          {"total", WorkJson(findings.total)},
          {"outside_of_all_ranges", WorkJson(findings.outside)},
          {"launched_by_no_call", WorkJson(findings.without_call)},
          {"top_by_gpu_time", std::move(list)}};
}

Json LaunchesJson(const analysis::AnalyzedExport& imported) {
  Json json = LaunchJson(imported.findings.launch);
  json["kernels_begun_before_return"] = imported.findings.kernels_begun_before_return;
  return json;
}

}  // namespace

Json ToJson(const analysis::AnalyzedExport& imported, size_t top) {
  const analysis::NsysFindings& findings = imported.findings;
  return {{"file", imported.info.file},
          {"format", imported.info.format},
          {"bytes_on_disk", imported.info.file_bytes},
          {"header", HeaderJson(imported.rows.header)},
          {"kernels", KernelsJson(imported, top)},
          {"graphs",
           {{"launches", findings.graph_launches},
            {"time_total_ns", findings.graph_total_ns},
            {"distinct", imported.rows.graphs.size()}}},
          {"memory_ops", MemoryOpsJson(imported)},
          {"devices", DevicesJson(imported)},
          {"launch", LaunchesJson(imported)},
          {"nvtx", NvtxJson(imported, top)},
          {"regions", RegionsJson(findings.regions, top)},
          {"left_out", LeftOutJson(imported.rows.left_out)}};
}

Json ToJson(const analysis::AnalyzedSummary& imported, size_t top) {
  int64_t launches = 0;
  int64_t total_ns = 0;
  int64_t rows_max = 0;
  for (const analysis::SummarizedKernel& kernel : imported.findings) {
    launches += kernel.total.count;
    total_ns += kernel.total.time_total_ns;
    rows_max = std::max(rows_max, kernel.rows);
  }
  Json list = Json::array();
  for (const analysis::SummarizedKernel& kernel : imported.findings) {
    if (list.size() == top) break;
    list.push_back({{"name", imported.rows.names.text(kernel.total.name)},
                    {"rows", kernel.rows},
                    {"launches", kernel.total.count},
                    {"time_total_ns", kernel.total.time_total_ns},
                    {"time_share", ShareOf(kernel.total.time_total_ns, total_ns)},
                    {"time_share_told", kernel.told_share}});
  }
  return {{"file", imported.info.file},
          {"format", imported.info.format},
          {"bytes_on_disk", imported.info.file_bytes},
          {"columns", imported.rows.header},
          {"preamble_lines", imported.rows.preamble_lines},
          {"time_unit", imported.rows.time_unit},
          {"rows", imported.rows.rows.size()},
          {"kernels",
           {{"launches", launches},
            {"time_total_ns", total_ns},
            {"distinct", imported.findings.size()},
            {"rows_per_name_max", rows_max},
            {"top_by_time", std::move(list)}}},
          {"left_out", LeftOutJson(imported.rows.left_out)}};
}

}  // namespace ridgeline::summaries
