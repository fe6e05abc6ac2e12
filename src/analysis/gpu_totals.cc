#include "analysis/gpu_totals.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/saturating.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivity;
using results::GpuActivityKind;
using results::GpuTotal;
using results::NameTable;

void Add(const GpuTotal& part, GpuTotal& total) {
  const bool is_first = total.count == 0;
  total.device = part.device;
  total.name = part.name;
  total.count += part.count;
  total.time_total_ns = SaturatingAdd(total.time_total_ns, part.time_total_ns);
  total.time_min_ns =
      is_first ? part.time_min_ns : std::min(total.time_min_ns, part.time_min_ns);
  total.time_max_ns = std::max(total.time_max_ns, part.time_max_ns);
}

// By device and name.
using Totals = std::unordered_map<uint64_t, GpuTotal>;

void Add(const GpuTotal& part, Totals& totals) {
  Add(part, totals[(uint64_t{part.device} << 32) | part.name]);
}

std::vector<GpuTotal> LongestFirst(const Totals& totals, const NameTable& names) {
  std::vector<GpuTotal> sorted;
  sorted.reserve(totals.size());
  for (const auto& [key, total] : totals) sorted.push_back(total);
  std::sort(sorted.begin(), sorted.end(), [&](const GpuTotal& a, const GpuTotal& b) {
    if (a.time_total_ns != b.time_total_ns) return a.time_total_ns > b.time_total_ns;
    if (a.name != b.name) return names.text(a.name) < names.text(b.name);
    return a.device < b.device;
  });
  return sorted;
}

}  // namespace

GpuTotals GpuTotalsOf(const results::TraceRows& rows) {
  Totals kernels;
  Totals memory_ops;
  for (const GpuActivity& activity : rows.gpu_activities) {
    const bool is_kernel = activity.kind == GpuActivityKind::kKernel;
    Add({.device = rows.tracks[activity.track].device,
         .name = activity.name,
         .count = 1,
         .time_total_ns = activity.duration_ns,
         .time_min_ns = activity.duration_ns,
         .time_max_ns = activity.duration_ns},
        is_kernel ? kernels : memory_ops);
  }
  return {LongestFirst(kernels, rows.names), LongestFirst(memory_ops, rows.names)};
}

std::vector<GpuTotal> OverDevices(const std::vector<GpuTotal>& totals,
                                  const NameTable& names) {
  Totals merged;
  for (GpuTotal part : totals) {
    part.device = 0;
    Add(part, merged);
  }
  return LongestFirst(merged, names);
}

}  // namespace ridgeline::analysis
