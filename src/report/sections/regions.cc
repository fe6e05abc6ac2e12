#include <algorithm>

#include "report/sections/parts.h"
#include "report/sections/region_rows.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

// By the GPU clock if available.
std::optional<InstanceRow> InstanceOf(const results::RegionTotal& region) {
  const bool is_gpu = region.gpu_span_instance.has_value();
  const auto& spread = is_gpu ? region.gpu_span_instance : region.cpu_instance;
  if (!spread) return std::nullopt;
  return InstanceRow{.clock = is_gpu ? Clock::kGpu : Clock::kCpu,
                     .min_s = Seconds(spread->min_ns),
                     .median_s = spread->median_ns / 1e9,
                     .p99_s = spread->p99_ns / 1e9,
                     .max_s = Seconds(spread->max_ns)};
}

OptionalNumber SecondsOrNothing(std::optional<int64_t> nanoseconds) {
  return nanoseconds ? OptionalNumber(Seconds(*nanoseconds)) : std::nullopt;
}

IfThere<RegionRooflineRow> RegionRooflineFor(const results::ResultStore& store,
                                             const results::RegionTotal& region) {
  for (const results::RegionRoofline& roofline : store.region_rooflines) {
    if (roofline.source != region.source || roofline.path != region.path) continue;
    return RegionRooflineRow{.clock = roofline.clock,
                             .flops_per_s = roofline.flops_per_s,
                             .bytes_per_s = roofline.bytes_per_s,
                             .roofline_slowdown = roofline.roofline_slowdown};
  }
  return {};
}

// FLOP/s, by the GPU clock if available.
void AddWork(const results::RegionTotal& region, RegionRow& row) {
  const results::RegionWork& work = *region.work;
  row.operators = work.operators;
  row.cpu_self_s = Seconds(work.cpu_self_ns);
  row.flops = work.flops;
  row.mfu = work.mfu;
  const double seconds = region.gpu_inclusive_ns > 0 ? row.gpu_s : row.cpu_s;
  if (work.flops.value_or(0) > 0 && seconds > 0) {
    row.flops_per_s = static_cast<double>(*work.flops) / seconds;
  }
}

}  // namespace

std::string_view NameOf(Clock clock) { return clock == Clock::kGpu ? "gpu" : "cpu"; }

std::vector<RegionRow> MakeRegions(const results::ResultStore& store) {
  RowLimit limit;
  std::vector<RegionRow> rows;
  for (const results::RegionTotal& region : store.regions) {
    // Without the unattributed time, rows would not add up.
    if (region.kind != "unattributed" && !limit.Keeps(region.source)) continue;
    rows.push_back({.source = FileOf(store, region.source),
                    .path = CutText(region.path),
                    .kind = region.kind,
                    .instances = region.instances,
                    .cpu_s = Seconds(region.cpu_total_ns),
                    .launches = region.launches_inclusive,
                    .gpu_s = Seconds(region.gpu_inclusive_ns),
                    .gpu_exclusive_s = Seconds(region.gpu_exclusive_ns),
                    .gpu_span_s = SecondsOrNothing(region.gpu_span_ns),
                    .gpu_idle_s = SecondsOrNothing(region.gpu_gap_ns),
                    .memcpy_bytes = region.memory_inclusive_bytes,
                    .per_instance = InstanceOf(region),
                    .roofline = RegionRooflineFor(store, region)});
    if (region.work) AddWork(region, rows.back());
  }
  return rows;
}

}  // namespace ridgeline::report
