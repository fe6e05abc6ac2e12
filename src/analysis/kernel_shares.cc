
#include <unordered_map>
#include <utility>

#include "analysis/gpu_totals.h"

namespace ridgeline::analysis {

std::vector<SummarizedKernel> SummarizedKernels(const results::KernelSummary& summary) {
  GpuTotalSum sum;
  std::unordered_map<StringId, SummarizedKernel> by_name;
  for (const results::KernelSummaryRow& row : summary.rows) {
    sum.Add({.name = row.name,
             .count = row.instances,
             .time_total_ns = row.time_total_ns,
             .time_min_ns = row.time_min_ns,
             .time_max_ns = row.time_max_ns});
    SummarizedKernel& kernel = by_name[row.name];
    ++kernel.rows;
    kernel.told_share += row.told_share;
  }
  std::vector<SummarizedKernel> kernels;
  for (const results::GpuTotal& total : sum.ByTimeDescending(summary.names)) {
    kernels.push_back(by_name[total.name]);
    kernels.back().total = total;
  }
  return kernels;
}

void AddToStore(const results::KernelSummary& summary,
                const std::vector<SummarizedKernel>& kernels, results::Source source,
                results::ResultStore& store) {
  const auto source_id = static_cast<results::SourceId>(store.sources.size());
  const auto device_id = static_cast<results::DeviceId>(store.devices.size());
  source.event_count = static_cast<int64_t>(summary.rows.size());
  store.sources.push_back(std::move(source));
  store.devices.push_back({.source = source_id, .label = "all"});
  for (const SummarizedKernel& kernel : kernels) {
    results::GpuTotal total = kernel.total;
    total.device = device_id;
    total.name = store.names.Intern(summary.names.text(total.name));
    store.kernel_totals.push_back(total);
  }
  for (size_t i = 0; i < results::DropReasonTexts().size(); ++i) {
    const auto counter = static_cast<results::DropReason>(i);
    const int64_t count = summary.left_out.Get(counter);
    if (count > 0) store.import_counters.push_back({source_id, counter, count});
  }
}

}  // namespace ridgeline::analysis
