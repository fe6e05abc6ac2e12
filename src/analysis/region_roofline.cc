#include "analysis/region_roofline.h"

namespace ridgeline::analysis {

results::RegionRoofline RegionRooflineOf(const results::RegionTotal& region,
                                         const cost::Cost& cost,
                                         const cost::PeakRates& ceilings) {
  results::RegionRoofline roofline;
  roofline.source = region.source;
  roofline.path = region.path;
  const bool is_on_gpu = region.gpu_inclusive_ns > 0;
  roofline.clock = is_on_gpu ? "gpu" : "cpu";
  roofline.time_ns = is_on_gpu ? region.gpu_inclusive_ns : region.cpu_total_ns;
  roofline.flops = static_cast<int64_t>(cost.flops_matrix().executed.value());
  roofline.flops_useful = static_cast<int64_t>(cost.flops_matrix().useful.value());
  roofline.bytes = static_cast<int64_t>(cost.bytes.compulsory().value());
  const double seconds = static_cast<double>(roofline.time_ns) * 1e-9;
  roofline.flops_per_s = static_cast<double>(roofline.flops) / seconds;
  roofline.bytes_per_s = static_cast<double>(roofline.bytes) / seconds;
  roofline.roofline_slowdown =
      cost::UtilizationOf(cost, ceilings, seconds).roofline_slowdown;
  return roofline;
}

}  // namespace ridgeline::analysis
