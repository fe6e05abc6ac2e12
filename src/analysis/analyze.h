// From a profile of any format to everything that is found in it.
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

// Printers have an overload for each, so std::visit needs no list of formats.
using AnalyzedProfile =
    std::variant<AnalyzedTrace, AnalyzedExport, AnalyzedSummary, AnalyzedNcu>;

// An error, which names the file, if regions do not add up. `question` is for ncu.
Result<AnalyzedProfile> Analyze(profiles::Profile profile,
                                const NcuQuestion& question = {});

inline constexpr size_t kAllEvents = std::numeric_limits<size_t>::max();

// Adds a source called `name` with all its rows; single activities of GPUs only if there
// are at most `most_events`.
void AddToStore(const AnalyzedProfile& profile, const std::string& name,
                size_t most_events, results::ResultStore& store);

// Kernels by time, descending, over all devices. None of ncu: it replays kernels one by
// one, and only some of them.
std::vector<results::GpuTotal> KernelsOf(const AnalyzedProfile& profile);
const StringPool& NamesOf(const AnalyzedProfile& profile);

// Nothing if the format has no single events.
std::optional<Timeline> TimelineOf(const AnalyzedProfile& profile, size_t most_blocks);

}  // namespace ridgeline::analysis
