#include "app/run/region_roofs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/roofline.h"

namespace ridgeline::app {
namespace {

results::RegionRoof RoofOf(const results::RegionTotal& region, const cost::Cost& cost,
                           const cost::RoofRates& roofs) {
  results::RegionRoof roof;
  roof.source = region.source;
  roof.path = region.path;
  const bool is_on_gpu = region.gpu_inclusive_ns > 0;
  roof.clock = is_on_gpu ? "gpu" : "cpu";
  roof.time_ns = is_on_gpu ? region.gpu_inclusive_ns : region.cpu_total_ns;
  roof.flops = static_cast<int64_t>(cost.flops_matrix().executed.value());
  roof.bytes = static_cast<int64_t>(cost.bytes.unavoidable().value());
  const double seconds = static_cast<double>(roof.time_ns) * 1e-9;
  roof.flops_per_s = static_cast<double>(roof.flops) / seconds;
  roof.bytes_per_s = static_cast<double>(roof.bytes) / seconds;
  roof.distance = cost::UtilizationOf(cost, roofs, seconds).distance;
  return roof;
}

}  // namespace

std::string AddRegionRoofs(const estimates::MeasuredRun& run,
                           results::ResultStore& store) {
  const auto source = static_cast<results::SourceId>(store.sources.size() - 1);
  std::vector<std::string> partial;
  for (const estimates::RegionCost& cost : run.regions) {
    const auto region = std::find_if(
        store.regions.begin(), store.regions.end(), [&](const auto& candidate) {
          return candidate.source == source && candidate.path == cost.path &&
                 candidate.kind == "push_pop";
        });
    if (region == store.regions.end()) continue;
    if (region->instances != cost.instances) {
      partial.push_back(
          fmt::format("{} ({} of {})", cost.path, region->instances, cost.instances));
    } else if (region->cpu_total_ns > 0) {
      store.region_roofs.push_back(RoofOf(*region, cost.cost, run.roofs));
    }
  }
  if (partial.empty()) return "";
  return fmt::format(
      "not held against the roof, because the capture has only some of "
      "their instances: {}",
      fmt::join(partial, ", "));
}

}  // namespace ridgeline::app
