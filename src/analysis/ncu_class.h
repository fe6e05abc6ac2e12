// What limits a kernel? Three rules answer; docs/ncu.md tells when to trust which.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/ncu_kernel.h"

namespace ridgeline::analysis {

enum class NcuClass : uint8_t { kUnknown, kCompute, kMemory, kLatency, kBalanced };

std::string_view NameOf(NcuClass kernel_class);  // "memory_bound"

enum class ClassRule : uint8_t {
  // Ours: a roof limits a kernel only if the kernel comes near to it. Below that, on all
  // roofs, it waits: it is latency-bound.
  kRidgeline,
  // SM % against DRAM %, 5 points apart; otherwise balanced.
  kThroughputGap,
  // Arithmetic intensity on its side of the ridge and the throughput of that side ahead;
  // balanced if neither roof is near.
  kRidge,
};

std::string_view NameOf(ClassRule rule);  // "throughput-gap"
std::optional<ClassRule> ClassRuleOf(std::string_view name);

struct ClassThresholds {
  // ridgeline: both throughputs below this: latency-bound.
  double near_roof_percent = 60;
  // ridgeline: throughputs that are nearer to each other: balanced.
  double balance_points = 10;
  // throughput-gap and ridge: by how much one throughput has to exceed the other.
  double gap_points = 5;
  // ridge: both throughputs at or below this are low: balanced.
  double low_percent = 20;
  // ridge: where memory's roof meets that of arithmetic. Without one there is no class.
  std::optional<double> ridge_flops_per_byte;
};

// kUnknown where a number is missing that the rule needs.
NcuClass ClassOf(const NcuKernel& kernel, ClassRule rule,
                 const ClassThresholds& thresholds);

}  // namespace ridgeline::analysis
