#include <algorithm>
#include <cmath>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

constexpr BottleneckRule kClassRules[] = {
    BottleneckRule::kRidgeline, BottleneckRule::kThroughputGap, BottleneckRule::kRidge};

// `memory_percent` is the highest of L1, L2 and DRAM: a kernel that saturates L2 is
// memory-bound, however idle DRAM is.
Bottleneck ByNearness(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  if (!kernel.sm_percent || !kernel.memory_percent) return Bottleneck::kUnknown;
  const double sm = *kernel.sm_percent;
  const double memory = *kernel.memory_percent;
  if (std::max(sm, memory) < thresholds.near_ceiling_percent) return Bottleneck::kLatency;
  if (std::abs(sm - memory) < thresholds.balance_points) return Bottleneck::kBalanced;
  return sm > memory ? Bottleneck::kCompute : Bottleneck::kMemory;
}

Bottleneck ByGap(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  if (!kernel.sm_percent || !kernel.dram_percent) return Bottleneck::kUnknown;
  const double gap = *kernel.sm_percent - *kernel.dram_percent;
  if (gap > thresholds.gap_points) return Bottleneck::kCompute;
  if (gap < -thresholds.gap_points) return Bottleneck::kMemory;
  return Bottleneck::kBalanced;
}

Bottleneck ByRidge(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  const std::optional<double> flops = FlopsTotalOf(kernel);
  const bool is_known = kernel.sm_percent && kernel.memory_percent && kernel.dram_bytes &&
                        flops && thresholds.ridge_flops_per_byte;
  if (!is_known) return Bottleneck::kUnknown;
  const double sm = *kernel.sm_percent;
  const double memory = *kernel.memory_percent;
  if (std::max(sm, memory) <= thresholds.low_percent) return Bottleneck::kBalanced;
  // Not a division: kernels that hit only caches move no DRAM bytes.
  const bool is_above = *flops >= *thresholds.ridge_flops_per_byte * *kernel.dram_bytes;
  if (is_above && sm - memory > thresholds.gap_points) return Bottleneck::kCompute;
  if (!is_above && memory - sm > thresholds.gap_points) return Bottleneck::kMemory;
  return Bottleneck::kBalanced;
}

}  // namespace

std::string_view NameOf(Bottleneck kernel_class) {
  switch (kernel_class) {
    case Bottleneck::kUnknown:
      return "unknown";
    case Bottleneck::kCompute:
      return "compute_bound";
    case Bottleneck::kMemory:
      return "memory_bound";
    case Bottleneck::kLatency:
      return "latency_bound";
    case Bottleneck::kBalanced:
      return "balanced";
  }
  return "";
}

std::string_view NameOf(BottleneckRule rule) {
  switch (rule) {
    case BottleneckRule::kRidgeline:
      return "ridgeline";
    case BottleneckRule::kThroughputGap:
      return "throughput-gap";
    case BottleneckRule::kRidge:
      return "ridge";
  }
  return "";
}

std::optional<BottleneckRule> ClassRuleOf(std::string_view name) {
  for (const BottleneckRule rule : kClassRules) {
    if (NameOf(rule) == name) return rule;
  }
  return {};
}

Bottleneck ClassOf(const NcuKernel& kernel, BottleneckRule rule,
                   const ClassThresholds& thresholds) {
  switch (rule) {
    case BottleneckRule::kRidgeline:
      return ByNearness(kernel, thresholds);
    case BottleneckRule::kThroughputGap:
      return ByGap(kernel, thresholds);
    case BottleneckRule::kRidge:
      return ByRidge(kernel, thresholds);
  }
  return Bottleneck::kUnknown;
}

}  // namespace ridgeline::analysis
