#include "report/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/advice/rules.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Order of advice with equal or unknown savings.
constexpr bool kDoubt = true;
constexpr bool kFinding = false;

constexpr AdviceRule kRules[] = {
    {"parity_failed", "verdict", kDoubt, ParityFailed},
    {"not_complete", "verdict", kDoubt, NotComplete},
    {"records_lost", "dropped", kDoubt, RecordsLost},
    {"above_peak", "ledger", kDoubt, AbovePeak},
    {"stages_disagree", "phases", kDoubt, StagesDisagree},
    {"memory_nearly_full", "memory", kDoubt, MemoryNearlyFull},
    {"wide_confidence_interval", "phases", kDoubt, WideConfidenceInterval},
    {"profiler_overhead", "phases", kDoubt, ProfilerOverhead},
    {"profiled_pass_disturbed", "phases", kDoubt, ProfiledPassDisturbed},
    {"peak_under_load", "ledger", kDoubt, PeakUnderLoad},
    {"dominant_phase", "phases", kFinding, DominantPhase},
    {"memory_bound", "ledger", kFinding, MemoryBound},
    {"compute_bound", "ledger", kFinding, ComputeBound},
    {"wasted_flops", "ledger", kFinding, WastedFlops},
    {"launch_gaps", "regions", kFinding, LaunchGaps},
    {"long_tail_region", "regions", kFinding, LongTailRegions},
    {"device_idle", "devices", kFinding, DeviceIdle},
    {"launch_bound", "launch_latency", kFinding, LaunchBound},
    {"long_queue_time", "launch_latency", kFinding, LongQueueTime},
    {"short_kernels", "kernels", kFinding, ShortKernels},
    {"fp32_gemms", "kernels", kFinding, Fp32Gemms},
    {"gemv_share", "kernel_kinds", kFinding, GemvShare},
    {"layout_conversion", "kernel_kinds", kFinding, LayoutConversion},
    {"unfused_attention", "kernel_kinds", kFinding, UnfusedAttention},
    {"elementwise_share", "kernel_kinds", kFinding, ElementwiseShare},
    {"top_kernel", "kernels", kFinding, TopKernel},
    {"ncu_rule", "ncu", kFinding, NcuRule},
    {"communication_exposed", "devices", kFinding, CommunicationExposed},
    {"copies_exposed", "devices", kFinding, CopiesExposed},
    {"pageable_copies", "memory_ops", kFinding, PageableCopies},
    {"synchronizing_calls", "api_calls", kFinding, SynchronizingCalls},
    {"allocator_churn", "api_calls", kFinding, AllocatorChurn},
    {"top_operator", "operators", kFinding, TopOperator},
    {"conversions", "operators", kFinding, Conversions},
    {"ceiling_unknown", "ledger", kFinding, CeilingUnknown},
    {"unattributed", "regions", kFinding, Unattributed},
    {"cuda_graph_level_trace", "devices", kFinding, CudaGraphLevelTrace},
};

// Warnings keep the order of their rules.
bool ComesBefore(const Advice& a, const Advice& b) {
  if (a.doubt || b.doubt) return a.doubt && !b.doubt;
  return a.saving_s.value_or(-1) > b.saving_s.value_or(-1);
}

// The source of the first cited value; null: none.
const SourceRow* SourceOf(const Document& document, const Advice& advice) {
  if (advice.evidence.empty()) return nullptr;
  for (const SourceRow& source : document.sources) {
    if (source.file == advice.evidence.front().source) return &source;
  }
  return nullptr;
}

// With several profiles, each finding names its source and rank. The stages of a run
// measure different things, so there the finding is clear enough.
void NameSource(const Document& document, const SourceRow& source, Advice& advice) {
  const auto alike = std::count_if(
      document.sources.begin(), document.sources.end(), [&](const SourceRow& other) {
        return document.is_imported() || other.format == source.format;
      });
  if (alike < 2 || (!document.is_imported() && advice.section == "phases")) return;
  const std::string name = Quoted(source.file);
  const std::string rank = source.rank ? fmt::format(" (rank {})", *source.rank) : "";
  const size_t named = advice.verdict.find(name);
  if (named == std::string::npos) {
    advice.verdict += ", in " + name + rank;
  } else {
    advice.verdict.insert(named + name.size(), rank);
  }
}

// Sums over streams, threads and devices may exceed the duration of the capture; a saving
// cannot.
void LimitSaving(const Document& document, const SourceRow& source, Advice& advice) {
  const DeviceRow* const device = LongestDevice(document, source.file);
  if (!advice.saving_s || device == nullptr) return;
  advice.saving_s = std::min(*advice.saving_s, device->span_s);
}

bool IsTold(const std::vector<Advice>& all, const Advice& advice) {
  return std::any_of(all.begin(), all.end(), [&advice](const Advice& other) {
    return other.verdict == advice.verdict;
  });
}

}  // namespace

std::span<const AdviceRule> AdviceRules() { return kRules; }

std::vector<Advice> AdviceOn(const Document& document) {
  std::vector<Advice> all;
  for (const AdviceRule& rule : AdviceRules()) {
    for (Advice& advice : rule.find(document)) {
      advice.rule = rule.id;
      advice.section = rule.section;
      advice.doubt |= rule.is_doubt;
      if (const SourceRow* source = SourceOf(document, advice)) {
        NameSource(document, *source, advice);
        LimitSaving(document, *source, advice);
      }
      if (!IsTold(all, advice)) all.push_back(std::move(advice));
    }
  }
  std::stable_sort(all.begin(), all.end(), ComesBefore);
  if (all.size() > kMaxAdvice) all.resize(kMaxAdvice);
  return all;
}

}  // namespace ridgeline::report
