#include "report/advice/advice.h"

#include <algorithm>

#include "report/advice/rules.h"

namespace ridgeline::report {
namespace {

// Order of advice with equal or unknown savings.
constexpr AdviceRule kRules[] = {
    {"output_changed", "verdict", OutputChanged},
    {"not_complete", "verdict", NotComplete},
    {"main_phase", "phases", MainPhase},
    {"memory_bound", "ledger", MemoryBound},
    {"compute_bound", "ledger", ComputeBound},
    {"wasted_flops", "ledger", WastedFlops},
    {"launch_gaps", "regions", LaunchGaps},
    {"uneven_region", "regions", UnevenRegions},
    {"device_idle", "devices", DeviceIdle},
    {"launch_bound", "launch_delays", LaunchBound},
    {"cpu_ahead", "launch_delays", CpuAhead},
    {"tiny_kernels", "kernels", TinyKernels},
    {"gemv_share", "kernel_kinds", GemvShare},
    {"layout_share", "kernel_kinds", LayoutShare},
    {"unfused_attention", "kernel_kinds", UnfusedAttention},
    {"elementwise_share", "kernel_kinds", ElementwiseShare},
    {"longest_kernel", "kernels", LongestKernel},
    {"ncu_rule", "ncu", NcuRule},
    {"communication_exposed", "devices", CommunicationExposed},
    {"copies_exposed", "devices", CopiesExposed},
    {"pageable_copies", "memory_ops", PageableCopies},
    {"synchronizing_calls", "apis", SynchronizingCalls},
    {"allocations", "apis", Allocations},
    {"longest_operator", "operators", LongestOperator},
    {"conversions", "operators", Conversions},
    {"roof_unknown", "ledger", RoofUnknown},
    {"wide_interval", "phases", WideInterval},
    {"profiler_overhead", "phases", ProfilerOverhead},
    {"unattributed", "regions", Unattributed},
    {"graphs_as_a_whole", "devices", GraphsAsAWhole},
    {"memory_nearly_full", "memory", MemoryNearlyFull},
};

bool IsDoubt(const Advice& advice) { return advice.section == "verdict"; }

// Doubts about the run come before its results.
bool ComesBefore(const Advice& a, const Advice& b) {
  if (IsDoubt(a) || IsDoubt(b)) return IsDoubt(a) && !IsDoubt(b);
  return a.saving_s.value_or(-1) > b.saving_s.value_or(-1);
}

}  // namespace

std::span<const AdviceRule> AdviceRules() { return kRules; }

std::vector<Advice> AdviceOn(const Document& document) {
  std::vector<Advice> all;
  for (const AdviceRule& rule : AdviceRules()) {
    for (Advice& advice : rule.find(document)) {
      advice.rule = rule.id;
      advice.section = rule.section;
      all.push_back(std::move(advice));
    }
  }
  std::stable_sort(all.begin(), all.end(), ComesBefore);
  if (all.size() > kMostAdvice) all.resize(kMostAdvice);
  return all;
}

}  // namespace ridgeline::report
