// Runs every analysis that applies to a profile, whatever its format.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/gpu_totals.h"
#include "analysis/ncu_findings.h"
#include "analysis/nsys_findings.h"
#include "analysis/timeline.h"
#include "analysis/trace_findings.h"
#include "base/result.h"
#include "profiles/profile.h"
#include "results/result_store.h"

namespace ridgeline::analysis {

// A profile with its findings.
template <typename Rows, typename Findings>
struct Analyzed {
  profiles::ProfileInfo info;
  Rows rows;
  Findings findings;
};

using AnalyzedTrace = Analyzed<results::TraceRows, TraceFindings>;
using AnalyzedExport = Analyzed<results::NsysRows, NsysFindings>;
using AnalyzedSummary = Analyzed<results::KernelSummary, std::vector<SummarizedKernel>>;
using AnalyzedNcu = Analyzed<results::NcuRows, NcuFindings>;

// Printers overload on each type, so std::visit needs no list of formats.
using AnalyzedProfile =
    std::variant<AnalyzedTrace, AnalyzedExport, AnalyzedSummary, AnalyzedNcu>;

// Fails, naming the file, if regions do not add up. `question` applies to ncu only.
Result<AnalyzedProfile> Analyze(profiles::Profile profile,
                                const NcuQuestion& question = {});

inline constexpr size_t kAllEvents = std::numeric_limits<size_t>::max();

// Adds a source called `name` with all its rows; individual GPU activities only if there
// are at most `most_events`.
void AddToStore(const AnalyzedProfile& profile, const std::string& name,
                size_t most_events, results::ResultStore& store);

// Kernels over all devices, by descending time. Empty for ncu, which replays kernels one
// by one, and only some of them.
std::vector<results::GpuTotal> KernelsOf(const AnalyzedProfile& profile);
const StringPool& NamesOf(const AnalyzedProfile& profile);

// nullopt if the format has no individual events.
std::optional<Timeline> TimelineOf(const AnalyzedProfile& profile, size_t most_blocks);

}  // namespace ridgeline::analysis
