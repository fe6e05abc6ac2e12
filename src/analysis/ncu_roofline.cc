#include <algorithm>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

void KeepHigher(std::optional<double> candidate, std::optional<double>& roof) {
  if (candidate && (!roof || *candidate > *roof)) roof = candidate;
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

NcuRoofs RoofsOf(const std::vector<NcuKernel>& kernels) {
  NcuRoofs roofs;
  for (const NcuKernel& kernel : kernels) {
    for (const NcuPrecision precision : kNcuPrecisions) {
      KeepHigher(kernel.peak_flops_per_s[precision], roofs.flops_per_s[precision]);
    }
    KeepHigher(kernel.dram_peak_bytes_per_s, roofs.Of(MemoryLevel::kDram));
    KeepHigher(kernel.l2_peak_bytes_per_s, roofs.Of(MemoryLevel::kL2));
    KeepHigher(kernel.l1_peak_bytes_per_s, roofs.Of(MemoryLevel::kL1));
  }
  return roofs;
}

std::optional<double> RidgeOf(const NcuRoofs& roofs, NcuPrecision precision,
                              MemoryLevel level) {
  const auto& flops = roofs.flops_per_s[precision];
  const auto& bytes = roofs.Of(level);
  if (!flops || !bytes || *bytes <= 0) return {};
  return *flops / *bytes;
}

std::vector<NcuPoint> PointsOf(const NcuKernel& kernel, const NcuRoofs& roofs) {
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
      const auto& peak = roofs.flops_per_s[precision];
      const auto& rate = roofs.Of(level);
      if (peak && *peak > 0) {
        point.share_of_peak = point.flops_per_s / *peak;
        if (rate && *rate > 0) {
          const double roof = std::min(*peak, *rate * point.flops_per_byte);
          point.share_of_roof = point.flops_per_s / roof;
        }
      }
      points.push_back(point);
    }
  }
  return points;
}

}  // namespace ridgeline::analysis
