// The rules behind advice. Each looks at a part of the report and says what it found, in
// the order of its own choice; most find nothing most of the time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/advice/reading.h"

namespace ridgeline::report {

struct Finding {
  std::string text;              // What is so.
  std::string attempt;           // What to try.
  std::optional<double> gain_s;  // At most so much of the time it speaks of would vanish.
  std::vector<std::string> evidence;  // Pointers to all that it rests on.
};

using Findings = std::vector<Finding>;

// Launching costs the CPU 2 to 10 us: kernels that are shorter than this do not hide it,
// nor keep a GPU busy.
inline constexpr double kShortKernelS = 10e-6;

struct AdviceRule {
  std::string_view id;
  std::string_view section;  // Of the document.
  Findings (*find)(const Row& report);
};

// All of them, in the order in which they are told where no gain decides.
std::span<const AdviceRule> AdviceRules();

// trust_rules.cc: is what was measured to be believed?
Findings OutputChanged(const Row& report);
Findings NotComplete(const Row& report);
Findings WideInterval(const Row& report);
Findings ProfilerOverhead(const Row& report);
Findings RoofUnknown(const Row& report);
Findings Unattributed(const Row& report);
Findings GraphsAsAWhole(const Row& report);
Findings MemoryNearlyFull(const Row& report);

// limit_rules.cc: what the device allows, and where a page's time goes.
Findings MemoryBound(const Row& report);
Findings ComputeBound(const Row& report);
Findings WastedFlops(const Row& report);
Findings MainPhase(const Row& report);

// waiting_rules.cc: time in which a device waits.
Findings LaunchGaps(const Row& report);
Findings DeviceIdle(const Row& report);
Findings CopiesExposed(const Row& report);
Findings CommunicationExposed(const Row& report);
Findings LaunchBound(const Row& report);

// spread_rules.cc: what takes long now and then.
Findings UnevenRegions(const Row& report);

// call_rules.cc: what the program asks the driver for.
Findings PageableCopies(const Row& report);
Findings CpuAhead(const Row& report);
Findings SynchronizingCalls(const Row& report);
Findings Allocations(const Row& report);

// kernel_rules.cc: what devices do while they work.
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
