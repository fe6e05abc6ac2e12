#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/process_runner.h"
#include "pipeline/stage.h"
#include "stages/ncu/capabilities.h"
#include "stages/ncu/options.h"
#include "stages/ncu/selection.h"

namespace ridgeline::stages {

// Turns a selection of kernels into runs of the program under ncu, as few as this ncu
// allows.

// One run of the program.
struct NcuJob {
  NcuOptions options;
  std::string base;    // Of its report in the stage's directory: "run".
  std::string suffix;  // For its log and command file: ".gemm"; empty for a single job.
};

// One job, unless ncu cannot separate its parts in one run:
// - launch_skip and launch_count count over all kernels (or all of one size, with
//   --filter-mode per-launch-config), so each kernel gets its own job;
// - with range replay, each range of nvtx.include gets its own job, in regions/<label>/.
std::vector<NcuJob> JobsOf(const NcuOptions& options, const NcuSelection& selection);

// The options of one attempt, and which of the requested ones were dropped.
struct NcuAttempt {
  NcuOptions options;
  std::vector<std::string> dropped;  // "nvtx.include (decode/)"; empty: nothing dropped.
};

// The unchanged options, followed by fallbacks to try as long as ncu finds no kernels:
// without names, then also without the NVTX range, the sections, the metrics. The last
// one profiles everything with ncu's default set. `passes`: replays per launch, for the
// number of launches without a selection.
std::vector<NcuAttempt> AttemptsOf(const NcuOptions& options, int64_t passes);

// Whether whole ranges are measured instead of kernels.
bool ReplaysRanges(const NcuOptions& options);

// The name of a range in an ncu expression: "LLM@decode/" -> "decode".
std::string RangeLabel(const std::string& expression);

// Names of the ranges that kernels must be in, as globs; empty: anywhere, or an
// expression is a regular expression.
std::vector<std::string> RangesOf(const NcuOptions& options);

// Outcome of an ncu run as one word that scripts can search for, with its cause and fix.
// If no kernels match, ncu exits with 0.

// In the same order as the table in outcome.cc, which describes each.
enum class NcuVerdict {
  kProfiled,
  kNoKernels,
  kPermissionDenied,
  kNoMetrics,
  kArgumentRefused,
  kToolTooOld,
  kWorkloadFailed,
  kToolFailed,
  kUnreadableReport,
  kExportFailed,
  kTimedOut,
  kPlanTooLong,
  kNoReport,
};

std::span<const pipeline::OutcomeSpec> NcuOutcomes();

std::string_view Name(NcuVerdict verdict);  // "NoKernels"

struct NcuOutcome {
  NcuVerdict verdict = NcuVerdict::kProfiled;
  std::string cause;  // Empty: no problem.

  bool failed() const { return verdict != NcuVerdict::kProfiled; }
  std::string ToString() const;  // "NoKernels: ..."
};

// `log`: complete output of ncu.
NcuOutcome ClassifyNcu(const os::ProcessResult& process, std::string_view log,
                       bool has_report);

// Output of the runs of one attempt.
struct NcuRuns {
  std::vector<std::string> reports;
  std::optional<NcuOutcome> failure;  // The last one.
  std::vector<std::string> dropped;   // Options dropped to find kernels at all.

  bool FoundNoKernels() const {
    return reports.empty() && failure && failure->verdict == NcuVerdict::kNoKernels;
  }
};

// How an administrator enables counters; part of the cause of kPermissionDenied.
std::string CounterPermissionFix();

// Hardware counters with Nsight Compute.
class Ncu final : public pipeline::Stage {
 public:
  Ncu(NcuOptions options, NcuFacts facts)
      : options_(std::move(options)), facts_(std::move(facts)) {}
  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override;
  pipeline::StageOutcome Run(pipeline::StageContext& context) override;

 private:
  pipeline::PlannedCommand CommandOf(const pipeline::StagePlace& place, const NcuJob& job,
                                     const std::string& attempt = "") const;
  int64_t Passes() const;  // Approximate replays of a launch.
  // Selected kernels of this run, or of a list; empty: all.
  Result<NcuSelection> Select(pipeline::StageContext& context) const;
  // Runs all jobs of one attempt.
  Result<NcuRuns> Do(pipeline::StageContext& context, const std::vector<NcuJob>& jobs,
                     const std::string& attempt) const;
  // As configured, then with fewer and fewer filters until kernels are found.
  Result<NcuRuns> DoUntilKernelsAreFound(pipeline::StageContext& context,
                                         const NcuOptions& options,
                                         const NcuSelection& selection) const;
  // Runs ncu, exports its report and reads both back.
  Result<NcuOutcome> Profile(pipeline::StageContext& context,
                             const pipeline::PlannedCommand& planned,
                             const NcuJob& job) const;
  Status Export(pipeline::StageContext& context, const NcuJob& job) const;
  NcuOutcome ReadBack(pipeline::StageContext& context, const NcuJob& job,
                      const Status& exported) const;

  const NcuOptions options_;
  const NcuFacts facts_;
};

config::Result<std::unique_ptr<pipeline::Stage>> MakeNcu(
    const pipeline::StageConfig& config);

pipeline::KeyGroup NcuKeys();

}  // namespace ridgeline::stages
