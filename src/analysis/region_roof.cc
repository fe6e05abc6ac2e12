#include "analysis/region_roof.h"

namespace ridgeline::analysis {

results::RegionRoof RegionRoofOf(const results::RegionTotal& region,
                                 const cost::Cost& cost, const cost::RoofRates& roofs) {
  results::RegionRoof roof;
  roof.source = region.source;
  roof.path = region.path;
  const bool is_on_gpu = region.gpu_inclusive_ns > 0;
  roof.clock = is_on_gpu ? "gpu" : "cpu";
  roof.time_ns = is_on_gpu ? region.gpu_inclusive_ns : region.cpu_total_ns;
  roof.flops = static_cast<int64_t>(cost.flops_matrix().executed.value());
  roof.bytes = static_cast<int64_t>(cost.bytes.compulsory().value());
  const double seconds = static_cast<double>(roof.time_ns) * 1e-9;
  roof.flops_per_s = static_cast<double>(roof.flops) / seconds;
  roof.bytes_per_s = static_cast<double>(roof.bytes) / seconds;
  roof.roofline_slowdown = cost::UtilizationOf(cost, roofs, seconds).roofline_slowdown;
  return roof;
}

}  // namespace ridgeline::analysis
