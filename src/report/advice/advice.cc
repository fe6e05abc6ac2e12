#include "report/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/advice/rules.h"
#include "report/advice/words.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

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

struct Advice {
  const AdviceRule* rule;
  Finding finding;
};

bool IsDoubt(const Advice& advice) { return advice.rule->section == "verdict"; }

// Doubts about the run come before its results.
bool ComesBefore(const Advice& a, const Advice& b) {
  if (IsDoubt(a) || IsDoubt(b)) return IsDoubt(a) && !IsDoubt(b);
  return a.finding.gain_s.value_or(-1) > b.finding.gain_s.value_or(-1);
}

std::string EvidenceLines(const Json& report, const Row& advice) {
  std::string text;
  for (const std::string& pointer : advice.Texts("evidence")) {
    text +=
        fmt::format("   - `{}`: {}\n", pointer, Escaped(EvidenceValue(report, pointer)));
  }
  return text;
}

}  // namespace

std::span<const AdviceRule> AdviceRules() { return kRules; }

Json AdviceOf(const Json& report) {
  std::vector<Advice> all;
  for (const AdviceRule& rule : AdviceRules()) {
    for (Finding& finding : rule.find(Row(report))) {
      all.push_back({&rule, std::move(finding)});
    }
  }
  std::stable_sort(all.begin(), all.end(), ComesBefore);
  Json list = Json::array();
  for (const Advice& advice : all) {
    if (list.size() == kMostAdvice) break;
    const Finding& finding = advice.finding;
    list.push_back({{"rule", advice.rule->id},
                    {"section", advice.rule->section},
                    {"text", finding.text},
                    {"try", finding.attempt},
                    {"gain_s", finding.gain_s ? Json(*finding.gain_s) : Json()},
                    {"evidence", finding.evidence}});
  }
  return list;
}

std::string AdviceMarkdown(const Json& report) {
  std::string text;
  int number = 0;
  for (const Row& advice : Row(report).List("advice")) {
    text += fmt::format("{}. {}", ++number, AdviceSentence(advice));
    text += "\n" + EvidenceLines(report, advice);
  }
  return text.empty() ? "" : "## Advice\n\n" + text;
}

}  // namespace ridgeline::report
