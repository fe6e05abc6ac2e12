// The rules behind advice. Each is a threshold and a sentence over typed rows of a
// document; most rules rarely apply.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/cite.h"

namespace ridgeline::report {

// A launch costs the CPU 2 to 10 us: shorter kernels do not hide it.
inline constexpr double kShortKernelS = 10e-6;

// GPU idle for a fifth of a capture; its start and end alone account for less.
inline constexpr double kMuchIdle = 0.20;

struct AdviceRule {
  std::string_view id;
  std::string_view section;  // Of the document, for details.
  bool is_doubt;             // Warning about the underlying data.
  std::vector<Advice> (*find)(const Document& document);
};

// All rules, warnings first, in the order of advice with equal savings.
std::span<const AdviceRule> AdviceRules();

// trust_rules.cc: validity and precision of the measurements.
std::vector<Advice> ParityFailed(const Document& document);
std::vector<Advice> NotComplete(const Document& document);
std::vector<Advice> RecordsLost(const Document& document);
std::vector<Advice> StagesDisagree(const Document& document);
std::vector<Advice> WideConfidenceInterval(const Document& document);
std::vector<Advice> ProfilerOverhead(const Document& document);
std::vector<Advice> ProfiledPassDisturbed(const Document& document);
// Whether the profiler explains the time that the one profiled page or call took longer.
bool ProfilerDominates(const Document& document);
std::vector<Advice> PeakUnderLoad(const Document& document);
std::vector<Advice> AbovePeak(const Document& document);
std::vector<Advice> CeilingUnknown(const Document& document);

// coverage_rules.cc: what regions and kernels of a capture do not cover.
std::vector<Advice> Unattributed(const Document& document);
std::vector<Advice> CudaGraphLevelTrace(const Document& document);

// memory_rules.cc: peaks of memory.
std::vector<Advice> MemoryNearlyFull(const Document& document);

// limit_rules.cc: rooflines, and the dominant phase.
std::vector<Advice> MemoryBound(const Document& document);
std::vector<Advice> ComputeBound(const Document& document);
std::vector<Advice> WastedFlops(const Document& document);
std::vector<Advice> DominantPhase(const Document& document);

// waiting_rules.cc: idle devices, exposed copies and communication.
std::vector<Advice> LaunchGaps(const Document& document);
std::vector<Advice> DeviceIdle(const Document& document);
std::vector<Advice> CopiesExposed(const Document& document);
std::vector<Advice> CommunicationExposed(const Document& document);
std::vector<Advice> LaunchBound(const Document& document);

// spread_rules.cc: long tails.
std::vector<Advice> LongTailRegions(const Document& document);

// call_rules.cc: CUDA API calls and copies.
std::vector<Advice> PageableCopies(const Document& document);
std::vector<Advice> LongQueueTime(const Document& document);
std::vector<Advice> SynchronizingCalls(const Document& document);
std::vector<Advice> AllocatorChurn(const Document& document);

// kernel_rules.cc: kernels and their kinds.
std::vector<Advice> Fp32Gemms(const Document& document);
std::vector<Advice> GemvShare(const Document& document);
std::vector<Advice> LayoutConversion(const Document& document);
std::vector<Advice> ElementwiseShare(const Document& document);
std::vector<Advice> UnfusedAttention(const Document& document);
std::vector<Advice> TopKernel(const Document& document);
std::vector<Advice> ShortKernels(const Document& document);
std::vector<Advice> NcuRule(const Document& document);

// operator_rules.cc
std::vector<Advice> TopOperator(const Document& document);
std::vector<Advice> Conversions(const Document& document);

// Whether kernels that take `total_s` are too small a part of the GPU busy time of their
// source for advice. `much`: the share of kernel time that is enough for the rule.
inline bool IsMinorOnGpu(const Document& document, const std::string& source,
                         double total_s, double much) {
  return total_s < std::min(much, kMinKernelShare) * GpuBusyTime(document, source);
}

// A potential saving; nullopt if it is not positive.
inline OptionalNumber SavingOf(double seconds) {
  return seconds > 0 ? OptionalNumber(seconds) : std::nullopt;
}

inline void AddTo(std::vector<Cell>& evidence, std::initializer_list<Cell> cells) {
  evidence.insert(evidence.end(), cells);
}

// The device of a source with the longest capture, with which times of that source are
// compared. Null: no device has a span above 0.
const DeviceRow* LongestDevice(const Document& document, const std::string& source);

// Phases and regions below this share of the longest one get no advice.
inline constexpr double kMinShare = 0.02;

// Time of a row, and its group: rows are compared within a group.
inline double TimeOf(const PhaseRow& row) { return row.mean_s; }
inline double TimeOf(const LedgerPhaseRow& row) { return row.measured_s; }
inline double TimeOf(const RegionRow& row) {
  return std::max(row.cpu_s, row.gpu_span_s.value_or(0));
}
inline auto GroupOf(const PhaseRow& row) {
  return std::tuple(row.source, row.profiled, row.is_of_run());
}
inline int GroupOf(const LedgerPhaseRow&) { return 0; }
inline const std::string& GroupOf(const RegionRow& row) { return row.source; }

// Whether a region is nested in another one of the same source.
inline bool IsInside(const RegionRow& inner, const RegionRow& outer) {
  return inner.source == outer.source && inner.path.size() > outer.path.size() &&
         inner.path[outer.path.size()] == '/' && inner.path.starts_with(outer.path);
}

// Omits rows that take less than kMinShare of the longest one in their group.
template <typename Row>
std::vector<const Row*> MajorRows(const std::vector<Row>& rows) {
  std::map<std::decay_t<decltype(GroupOf(rows.front()))>, double> longest;
  for (const Row& row : rows) {
    double& most = longest[GroupOf(row)];
    most = std::max(most, TimeOf(row));
  }
  std::vector<const Row*> major;
  for (const Row& row : rows) {
    if (TimeOf(row) >= kMinShare * longest[GroupOf(row)]) major.push_back(&row);
  }
  return major;
}

}  // namespace ridgeline::report
