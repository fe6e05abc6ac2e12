#include <algorithm>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

void KeepHigher(std::optional<double> candidate, std::optional<double>& ceiling) {
  if (candidate && (!ceiling || *candidate > *ceiling)) ceiling = candidate;
}

std::optional<double> BytesOf(const NcuKernel& kernel, MemoryLevel level) {
  switch (level) {
    case MemoryLevel::kDram:
      return kernel.dram_bytes;
    case MemoryLevel::kL2:
      return kernel.l2_bytes;
    case MemoryLevel::kL1:
      return kernel.l1_bytes;
  }
  return {};
}

}  // namespace

std::string_view NameOf(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::kDram:
      return "dram";
    case MemoryLevel::kL2:
      return "l2";
    case MemoryLevel::kL1:
      return "l1";
  }
  return "";
}

void RaiseCeilings(const NcuKernel& kernel, NcuCeilings& ceilings) {
  for (const NcuPrecision precision : kNcuPrecisions) {
    KeepHigher(kernel.peak_flops_per_s[precision], ceilings.flops_per_s[precision]);
  }
  KeepHigher(kernel.dram_peak_bytes_per_s, ceilings.Of(MemoryLevel::kDram));
  KeepHigher(kernel.l2_peak_bytes_per_s, ceilings.Of(MemoryLevel::kL2));
  KeepHigher(kernel.l1_peak_bytes_per_s, ceilings.Of(MemoryLevel::kL1));
}

std::optional<double> RidgeOf(const NcuCeilings& ceilings, NcuPrecision precision,
                              MemoryLevel level) {
  const auto& flops = ceilings.flops_per_s[precision];
  const auto& bytes = ceilings.Of(level);
  if (!flops || !bytes || *bytes <= 0) return {};
  return *flops / *bytes;
}

std::vector<NcuPoint> PointsOf(const NcuKernel& kernel, const NcuCeilings& ceilings) {
  std::vector<NcuPoint> points;
  if (!kernel.duration_ns || *kernel.duration_ns <= 0) return points;
  for (const NcuPrecision precision : kNcuPrecisions) {
    const std::optional<double> flops = FlopsOf(kernel, precision);
    if (!flops || *flops <= 0) continue;
    for (const MemoryLevel level : kMemoryLevels) {
      const std::optional<double> bytes = BytesOf(kernel, level);
      if (!bytes || *bytes <= 0) continue;
      NcuPoint point = {.precision = precision,
                        .level = level,
                        .flops_per_byte = *flops / *bytes,
                        .flops_per_s = *flops / *kernel.duration_ns * 1e9};
      const auto& peak = ceilings.flops_per_s[precision];
      const auto& rate = ceilings.Of(level);
      if (peak && *peak > 0) {
        point.share_of_peak = point.flops_per_s / *peak;
        if (rate && *rate > 0) {
          const double ceiling = std::min(*peak, *rate * point.flops_per_byte);
          point.share_of_ceiling = point.flops_per_s / ceiling;
        }
      }
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace ridgeline::analysis
