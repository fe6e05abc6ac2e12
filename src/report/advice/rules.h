// The rules behind advice. Each reads a part of the report and returns its findings, in
// an order of its choice; most find nothing most of the time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/advice/reading.h"

namespace ridgeline::report {

struct Finding {
  std::string text;     // The verdict. No full stop at the end, nor in `attempt`.
  std::string attempt;  // What to do, in the imperative.
  std::optional<double> gain_s;       // Potential saving, an upper bound.
  std::vector<std::string> evidence;  // Pointers to the numbers behind it.
};

using Findings = std::vector<Finding>;

// A launch costs the CPU 2 to 10 us: shorter kernels do not hide it.
inline constexpr double kShortKernelS = 10e-6;

struct AdviceRule {
  std::string_view id;
  std::string_view section;  // Of the document.
  Findings (*find)(const Row& report);
};

// All rules, in the order of advice with equal savings.
std::span<const AdviceRule> AdviceRules();

// trust_rules.cc: validity and precision of the measurements.
Findings OutputChanged(const Row& report);
Findings NotComplete(const Row& report);
Findings WideInterval(const Row& report);
Findings ProfilerOverhead(const Row& report);
Findings RoofUnknown(const Row& report);
Findings Unattributed(const Row& report);
Findings GraphsAsAWhole(const Row& report);
Findings MemoryNearlyFull(const Row& report);

// limit_rules.cc: rooflines, and the dominant phase.
Findings MemoryBound(const Row& report);
Findings ComputeBound(const Row& report);
Findings WastedFlops(const Row& report);
Findings MainPhase(const Row& report);

// waiting_rules.cc: idle devices, exposed copies and communication.
Findings LaunchGaps(const Row& report);
Findings DeviceIdle(const Row& report);
Findings CopiesExposed(const Row& report);
Findings CommunicationExposed(const Row& report);
Findings LaunchBound(const Row& report);

// spread_rules.cc: long tails.
Findings UnevenRegions(const Row& report);

// call_rules.cc: CUDA API calls and copies.
Findings PageableCopies(const Row& report);
Findings CpuAhead(const Row& report);
Findings SynchronizingCalls(const Row& report);
Findings Allocations(const Row& report);

// kernel_rules.cc: kernels and their kinds.
Findings GemvShare(const Row& report);
Findings LayoutShare(const Row& report);
Findings ElementwiseShare(const Row& report);
Findings UnfusedAttention(const Row& report);
Findings LongestKernel(const Row& report);
Findings TinyKernels(const Row& report);
Findings NcuRule(const Row& report);

// operator_rules.cc
Findings LongestOperator(const Row& report);
Findings Conversions(const Row& report);

}  // namespace ridgeline::report
