// Sections of a document. Each fills what its input allows: a run, its profiles, or
// imported profiles.
#pragma once

#include "analysis/analyze.h"
#include "report/document.h"
#include "report/run_facts.h"

namespace ridgeline::report {

// run.cc: the run and its outcome.
RunRow MakeRun(const RunFacts& facts);
std::vector<StageRow> MakeStages(const RunFacts& facts);
IfThere<std::vector<RankRow>> MakeRanks(const RunFacts& facts);
VerdictRow MakeVerdict(const RunFacts& facts, const std::vector<StageRow>& stages);
std::vector<SourceRow> MakeSources(const RunFacts& facts);
std::vector<PredictionRow> MakePredictions(const RunFacts& facts);
std::vector<CommandRow> MakeCommands(const RunFacts& facts);
std::vector<ConfigRow> MakeConfig(const RunFacts& facts);
std::vector<DroppedRow> MakeDropped(const RunFacts& facts);

// profiles.cc: metadata of a profile.
ProfileRow ProfileRowOf(const analysis::AnalyzedProfile& profile);

// phase_times.cc: in the order of the sources, profiled samples separate from others.
std::vector<PhaseRow> MakePhases(const results::ResultStore& store);
IfThere<ProfilingOverheadRow> MakeProfilingOverhead(const RunFacts& facts);
std::vector<TokenLatencyRow> MakeTokenLatency(const results::ResultStore& store);

// regions.cc
std::vector<RegionRow> MakeRegions(const results::ResultStore& store);

// kernels.cc
std::vector<KernelRow> MakeKernels(const results::ResultStore& store);
KernelsTotalRow MakeKernelsTotal(const results::ResultStore& store);
// For an input without a timeline: the kernels profiled by ncu.
std::vector<KernelRow> KernelsOf(const std::vector<NcuKernelRow>& profiled);
KernelsTotalRow KernelsTotalOf(const std::vector<KernelRow>& kernels);
// One row per source and kind, in the order of the sources, by descending time.
std::vector<KernelKindRow> MakeKernelKinds(const results::ResultStore& store);

// operator_totals.cc
std::vector<OperatorRow> MakeOperators(const results::ResultStore& store);
std::vector<UncountedOperatorRow> MakeUncountedOperators(
    const results::ResultStore& store);
OperatorsTotalRow MakeOperatorsTotal(const results::ResultStore& store);

// devices.cc: activity of devices and of the CPU threads that feed them.
std::vector<DeviceRow> MakeDevices(const results::ResultStore& store);
std::vector<MemoryOpRow> MakeMemoryOps(const results::ResultStore& store);
std::vector<ApiRow> MakeApis(const results::ResultStore& store);
std::vector<LaunchDelayRow> MakeLaunchDelays(const results::ResultStore& store);

// roofline.cc
std::optional<LedgerRow> MakeLedger(const RunFacts& facts);
IfThere<CallFlopsRow> MakeCallFlops(const RunFacts& facts);
std::vector<RooflineRow> MakeRoofline(const RunFacts& facts);

// memory.cc
MemoryRow MakeMemory(const RunFacts& facts);

// ncu.cc
std::vector<NcuRow> MakeNcu(const RunFacts& facts);
NcuRow NcuRowOf(const std::string& source, const results::NcuRows& rows,
                const results::NcuLaunch& launch,
                const analysis::NcuLaunchFinding& finding);
// One row per source and kernel, in the order of the sources, by descending time.
std::vector<NcuKernelRow> MakeNcuKernels(const RunFacts& facts);
// Indexes of the longest launches, in descending order.
std::vector<size_t> LongestLaunches(const NcuFacts& ncu);

}  // namespace ridgeline::report
