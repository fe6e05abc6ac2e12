#include <algorithm>
#include <cmath>

#include "analysis/ncu_findings.h"

namespace ridgeline::analysis {
namespace {

constexpr ClassRule kClassRules[] = {ClassRule::kRidgeline, ClassRule::kThroughputGap,
                                     ClassRule::kRidge};

// `memory_percent` is that of the busiest of L1, L2 and DRAM: a kernel that saturates L2
// is bound by memory, however idle DRAM is.
NcuClass ByNearness(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  if (!kernel.sm_percent || !kernel.memory_percent) return NcuClass::kUnknown;
  const double sm = *kernel.sm_percent;
  const double memory = *kernel.memory_percent;
  if (std::max(sm, memory) < thresholds.near_roof_percent) return NcuClass::kLatency;
  if (std::abs(sm - memory) < thresholds.balance_points) return NcuClass::kBalanced;
  return sm > memory ? NcuClass::kCompute : NcuClass::kMemory;
}

NcuClass ByGap(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  if (!kernel.sm_percent || !kernel.dram_percent) return NcuClass::kUnknown;
  const double gap = *kernel.sm_percent - *kernel.dram_percent;
  if (gap > thresholds.gap_points) return NcuClass::kCompute;
  if (gap < -thresholds.gap_points) return NcuClass::kMemory;
  return NcuClass::kBalanced;
}

NcuClass ByRidge(const NcuKernel& kernel, const ClassThresholds& thresholds) {
  const std::optional<double> flops = FlopsTotalOf(kernel);
  const bool is_known = kernel.sm_percent && kernel.memory_percent && kernel.dram_bytes &&
                        flops && thresholds.ridge_flops_per_byte;
  if (!is_known) return NcuClass::kUnknown;
  const double sm = *kernel.sm_percent;
  const double memory = *kernel.memory_percent;
  if (std::max(sm, memory) <= thresholds.low_percent) return NcuClass::kBalanced;
  // Without a division: kernels that find everything in the cache move no bytes.
  const bool is_above = *flops >= *thresholds.ridge_flops_per_byte * *kernel.dram_bytes;
  if (is_above && sm - memory > thresholds.gap_points) return NcuClass::kCompute;
  if (!is_above && memory - sm > thresholds.gap_points) return NcuClass::kMemory;
  return NcuClass::kBalanced;
}

}  // namespace

std::string_view NameOf(NcuClass kernel_class) {
  switch (kernel_class) {
    case NcuClass::kUnknown:
      return "unknown";
    case NcuClass::kCompute:
      return "compute_bound";
    case NcuClass::kMemory:
      return "memory_bound";
    case NcuClass::kLatency:
      return "latency_bound";
    case NcuClass::kBalanced:
      return "balanced";
  }
  return "";
}

std::string_view NameOf(ClassRule rule) {
  switch (rule) {
    case ClassRule::kRidgeline:
      return "ridgeline";
    case ClassRule::kThroughputGap:
      return "throughput-gap";
    case ClassRule::kRidge:
      return "ridge";
  }
  return "";
}

std::optional<ClassRule> ClassRuleOf(std::string_view name) {
  for (const ClassRule rule : kClassRules) {
    if (NameOf(rule) == name) return rule;
  }
  return {};
}

NcuClass ClassOf(const NcuKernel& kernel, ClassRule rule,
                 const ClassThresholds& thresholds) {
  switch (rule) {
    case ClassRule::kRidgeline:
      return ByNearness(kernel, thresholds);
    case ClassRule::kThroughputGap:
      return ByGap(kernel, thresholds);
    case ClassRule::kRidge:
      return ByRidge(kernel, thresholds);
  }
  return NcuClass::kUnknown;
}

}  // namespace ridgeline::analysis
