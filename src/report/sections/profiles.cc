#include <algorithm>

#include "report/sections/parts.h"
#include "report/sections/profile_rows.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using analysis::DurationStats;

int64_t SizeOf(const auto& list) { return static_cast<int64_t>(list.size()); }

IfThere<DurationsRow> DurationsOf(const std::optional<DurationStats>& stats) {
  if (!stats) return {};
  return DurationsRow{.count = stats->count,
                      .total_s = Seconds(stats->total_ns),
                      .mean_s = stats->mean_ns / 1e9,
                      .median_s = stats->median_ns / 1e9,
                      .min_s = Seconds(stats->min_ns),
                      .max_s = Seconds(stats->max_ns)};
}

IfThere<LaunchMatchRow> LaunchMatchingOf(const analysis::LaunchDelays& launch) {
  if (launch.kernels_matched + launch.kernels_unmatched == 0) return {};
  return LaunchMatchRow{.api_calls = launch.runtime_calls_with_correlation,
                        .kernels_matched = launch.kernels_matched,
                        .kernels_unmatched = launch.kernels_unmatched,
                        .kernels_before_call = launch.negative_start_to_start,
                        .duplicate_correlations = launch.duplicate_correlations};
}

// By descending count.
std::vector<CategoryRow> CategoriesOf(const std::map<std::string, int64_t>& categories) {
  std::vector<CategoryRow> rows;
  for (const auto& [name, events] : categories) rows.push_back({CutText(name), events});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.events > b.events; });
  return rows;
}

// Errors first: they explain missing data.
std::vector<DiagnosticRow> DiagnosticsOf(const results::NsysHeader& header) {
  std::vector<DiagnosticRow> rows;
  for (const bool is_error : {true, false}) {
    for (const results::NsysHeader::Diagnostic& diagnostic : header.diagnostics) {
      if (diagnostic.is_error != is_error) continue;
      rows.push_back({is_error ? "error" : "warning", CutText(diagnostic.text)});
    }
  }
  return rows;
}

std::vector<NcuClassRow> ClassesOf(const analysis::NcuFindings& findings) {
  std::vector<NcuClassRow> rows;
  for (const analysis::ClassCount& count : findings.classes) {
    rows.push_back({.kernel_class = count.kernel_class,
                    .launches = count.launches,
                    .total_s = count.duration_ns / 1e9,
                    .share = ShareOf(count.duration_ns, findings.duration_total_ns)});
  }
  return rows;
}

IfThere<Texts> GpusOf(const analysis::NcuFindings& findings) {
  Texts gpus;
  for (const analysis::NcuLaunchFinding& launch : findings.launches) {
    const std::string name = CutText(launch.kernel.device_name);
    if (name.empty() || std::find(gpus.begin(), gpus.end(), name) != gpus.end()) continue;
    gpus.push_back(name);
  }
  if (gpus.empty()) return {};
  return gpus;
}

struct ProfileRowMaker {
  ProfileRow operator()(const analysis::AnalyzedTrace& trace) const {
    const auto& schema = trace.rows.header.schema_version;
    ProfileRow row;
    if (schema) row.schema_version = std::to_string(*schema);
    row.gpu_activities = SizeOf(trace.rows.gpu_activities);
    row.unique_kernels = SizeOf(trace.findings.kernels_over_devices);
    row.unique_operators = SizeOf(trace.findings.operators);
    const auto is_annotation = [](const results::RegionTotal& region) {
      return region.kind == "annotation";
    };
    row.unique_regions = std::count_if(trace.findings.regions.begin(),
                                       trace.findings.regions.end(), is_annotation);
    row.profiler_steps = DurationsOf(trace.findings.steps.duration);
    row.kernel_durations = DurationsOf(trace.findings.kernel_duration);
    row.launch_matching = LaunchMatchingOf(trace.findings.launch);
    row.unsupported_categories = CategoriesOf(trace.rows.counts.categories_not_read);
    return row;
  }

  ProfileRow operator()(const analysis::AnalyzedExport& exported) const {
    ProfileRow row;
    row.schema_version = exported.rows.header.schema_version;
    row.gpu_activities = SizeOf(exported.rows.gpu_ops);
    row.api_calls = exported.rows.runtime_calls;
    row.nvtx_ranges = SizeOf(exported.rows.nvtx_ranges);
    row.unique_kernels = SizeOf(exported.findings.kernels_over_devices);
    row.unique_regions = SizeOf(exported.findings.regions.regions);
    row.kernel_durations = DurationsOf(exported.findings.kernel_duration);
    row.launch_matching = LaunchMatchingOf(exported.findings.launch);
    row.diagnostics = DiagnosticsOf(exported.rows.header);
    return row;
  }

  ProfileRow operator()(const analysis::AnalyzedSummary& summary) const {
    ProfileRow row;
    row.time_unit = summary.rows.time_unit;
    row.unique_kernels = SizeOf(summary.findings);
    DurationsRow durations;
    for (const analysis::SummarizedKernel& kernel : summary.findings) {
      durations.count += kernel.total.count;
      durations.total_s += Seconds(kernel.total.time_total_ns);
    }
    if (durations.count == 0) return row;
    durations.mean_s = durations.total_s / static_cast<double>(durations.count);
    row.kernel_durations = durations;
    return row;
  }

  ProfileRow operator()(const analysis::AnalyzedNcu& ncu) const {
    ProfileRow row;
    row.form = std::string(NameOf(ncu.rows.form));
    row.number_format = SomeText(ncu.rows.number_style);
    row.metric_values = 0;
    for (const results::NcuLaunch& launch : ncu.rows.launches) {
      *row.metric_values += SizeOf(launch.metrics);
      if (!row.host) row.host = SomeText(std::string(ncu.rows.names.text(launch.host)));
    }
    row.gpus = GpusOf(ncu.findings);
    row.ncu_classes = ClassesOf(ncu.findings);
    return row;
  }
};

}  // namespace

ProfileRow ProfileRowOf(const analysis::AnalyzedProfile& profile) {
  ProfileRow row = std::visit(ProfileRowMaker(), profile);
  const profiles::ProfileInfo& info = std::visit(
      [](const auto& known) -> const profiles::ProfileInfo& { return known.info; },
      profile);
  if (info.environment_values > 0) {
    row.environment_variables = info.environment_values;
    row.environment_secrets = info.environment_secrets;
  }
  return row;
}

}  // namespace ridgeline::report
