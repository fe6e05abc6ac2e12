#include "analysis/gpu_totals.h"

#include <algorithm>

#include "analysis/intervals.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivity;
using results::GpuActivityKind;
using results::GpuTotal;

void Add(const GpuTotal& part, GpuTotal& total) {
  const bool is_first = total.count == 0;
  total.device = part.device;
  total.name = part.name;
  total.count += part.count;
  total.time_total_ns = SaturatingAdd(total.time_total_ns, part.time_total_ns);
  total.time_min_ns =
      is_first ? part.time_min_ns : std::min(total.time_min_ns, part.time_min_ns);
  total.time_max_ns = std::max(total.time_max_ns, part.time_max_ns);
  if (part.bytes) total.bytes = SaturatingAdd(total.bytes.value_or(0), *part.bytes);
}

}  // namespace

void GpuTotalSum::Add(const GpuTotal& part) {
  analysis::Add(part, totals_[(uint64_t{part.device} << 32) | part.name]);
}

void GpuTotalSum::AddBytes(results::DeviceId device, StringId name, int64_t bytes) {
  GpuTotal& total = totals_[(uint64_t{device} << 32) | name];
  total.bytes = SaturatingAdd(total.bytes.value_or(0), bytes);
}

std::vector<GpuTotal> GpuTotalSum::Unsorted() const {
  std::vector<GpuTotal> all;
  all.reserve(totals_.size());
  for (const auto& [key, total] : totals_) all.push_back(total);
  return all;
}

std::vector<GpuTotal> GpuTotalSum::ByTimeDescending(const StringPool& names) const {
  std::vector<GpuTotal> sorted = Unsorted();
  std::sort(sorted.begin(), sorted.end(), [&](const GpuTotal& a, const GpuTotal& b) {
    if (a.time_total_ns != b.time_total_ns) return a.time_total_ns > b.time_total_ns;
    if (a.name != b.name) return names.text(a.name) < names.text(b.name);
    return a.device < b.device;
  });
  return sorted;
}

GpuTotals GpuTotalsOf(const results::TraceRows& rows) {
  GpuTotalSum kernels;
  GpuTotalSum memory_ops;
  for (const GpuActivity& activity : rows.gpu_activities) {
    const bool is_kernel = activity.kind == GpuActivityKind::kKernel;
    (is_kernel ? kernels : memory_ops)
        .Add({.device = rows.tracks[activity.track].device,
              .name = activity.name,
              .count = 1,
              .time_total_ns = activity.duration_ns,
              .time_min_ns = activity.duration_ns,
              .time_max_ns = activity.duration_ns});
  }
  for (const auto& [key, bytes] : rows.memory_bytes) {
    const auto& [track, name] = key;
    memory_ops.AddBytes(rows.tracks[track].device, name, bytes);
  }
  return {kernels.ByTimeDescending(rows.names), memory_ops.ByTimeDescending(rows.names)};
}

std::vector<GpuTotal> OverDevices(const std::vector<GpuTotal>& totals,
                                  const StringPool& names) {
  GpuTotalSum merged;
  for (GpuTotal part : totals) {
    part.device = 0;
    merged.Add(part);
  }
  return merged.ByTimeDescending(names);
}

}  // namespace ridgeline::analysis
