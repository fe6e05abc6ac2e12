#include <map>
#include <set>

#include "analysis/kernel_kind.h"
#include "report/sections/kernel_rows.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using analysis::KernelKind;
using results::ResultStore;

int64_t KernelNs(const results::GpuTotal& kernel) { return kernel.time_total_ns; }

std::map<results::SourceId, int64_t> KernelNsBySource(const ResultStore& store) {
  std::map<results::SourceId, int64_t> totals_ns;
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    totals_ns[store.devices[kernel.device].source] += kernel.time_total_ns;
  }
  return totals_ns;
}

struct KindTotal {
  KernelKind kind = KernelKind::kOther;
  std::set<StringId> kernels;
  int64_t launches = 0;
  int64_t time_total_ns = 0;
};

using KindTotals = std::map<KernelKind, KindTotal>;

std::map<results::SourceId, KindTotals> KindTotalsOf(const ResultStore& store) {
  std::map<results::SourceId, KindTotals> totals;
  std::map<StringId, KernelKind> kinds;  // Computed once per name.
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    const auto [known, is_new] = kinds.try_emplace(kernel.name);
    if (is_new) known->second = analysis::KindOf(store.names.text(kernel.name));
    KindTotal& total = totals[store.devices[kernel.device].source][known->second];
    total.kind = known->second;
    total.kernels.insert(kernel.name);
    total.launches += kernel.count;
    total.time_total_ns += kernel.time_total_ns;
  }
  return totals;
}

}  // namespace

std::vector<KernelRow> MakeKernels(const ResultStore& store) {
  std::map<results::SourceId, int64_t> totals_ns = KernelNsBySource(store);
  RowLimit limit;
  std::vector<KernelRow> rows;
  for (const results::GpuTotal* kernel :
       ByTimeDescending(store.kernel_totals, kUnlimited, KernelNs)) {
    const results::Device& device = store.devices[kernel->device];
    if (!limit.Keeps(device.source)) continue;
    const double total_s = Seconds(kernel->time_total_ns);
    const auto launches = static_cast<double>(std::max<int64_t>(1, kernel->count));
    rows.push_back({.source = FileOf(store, device.source),
                    .device = device.label,
                    .name = NameIn(store, kernel->name),
                    .kind = analysis::KindOf(store.names.text(kernel->name)),
                    .launches = kernel->count,
                    .total_s = total_s,
                    .mean_s = total_s / launches,
                    .min_s = Seconds(kernel->time_min_ns),
                    .max_s = Seconds(kernel->time_max_ns),
                    .share = ShareOf(static_cast<double>(kernel->time_total_ns),
                                     static_cast<double>(totals_ns[device.source]))});
  }
  return rows;
}

KernelsTotalRow MakeKernelsTotal(const ResultStore& store) {
  KernelsTotalRow total = {.kernels = static_cast<int64_t>(store.kernel_totals.size())};
  int64_t total_ns = 0;
  for (const results::GpuTotal& kernel : store.kernel_totals) {
    total.launches += kernel.count;
    total_ns += kernel.time_total_ns;
  }
  total.total_s = Seconds(total_ns);
  return total;
}

std::vector<KernelRow> KernelsOf(const std::vector<NcuKernelRow>& profiled) {
  std::vector<KernelRow> rows;
  for (const NcuKernelRow& kernel : profiled) {
    if (!kernel.total_s) continue;
    rows.push_back({.source = kernel.source,
                    .device = "",
                    .name = kernel.name,
                    .kind = analysis::KindOf(kernel.name),
                    .launches = kernel.launches,
                    .total_s = *kernel.total_s,
                    .mean_s = *kernel.mean_s,
                    .min_s = *kernel.min_s,
                    .max_s = *kernel.max_s,
                    .share = kernel.share});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return a.total_s > b.total_s;
  });
  if (rows.size() > kMaxRows) rows.resize(kMaxRows);
  return rows;
}

KernelsTotalRow KernelsTotalOf(const std::vector<KernelRow>& kernels) {
  KernelsTotalRow total = {.kernels = static_cast<int64_t>(kernels.size())};
  for (const KernelRow& kernel : kernels) {
    total.launches += kernel.launches;
    total.total_s += kernel.total_s;
  }
  return total;
}

std::vector<KernelKindRow> MakeKernelKinds(const ResultStore& store) {
  std::vector<KernelKindRow> rows;
  for (const auto& [source, totals] : KindTotalsOf(store)) {
    std::vector<KindTotal> kinds;
    double all_ns = 0;
    for (const auto& [kind, total] : totals) {
      kinds.push_back(total);
      all_ns += static_cast<double>(total.time_total_ns);
    }
    const auto time_ns = [](const KindTotal& total) { return total.time_total_ns; };
    for (const KindTotal* total : ByTimeDescending(kinds, kinds.size(), time_ns)) {
      rows.push_back(
          {.source = FileOf(store, source),
           .kind = total->kind,
           .kernels = static_cast<int64_t>(total->kernels.size()),
           .launches = total->launches,
           .total_s = Seconds(total->time_total_ns),
           .share = ShareOf(static_cast<double>(total->time_total_ns), all_ns)});
    }
  }
  return rows;
}

}  // namespace ridgeline::report
