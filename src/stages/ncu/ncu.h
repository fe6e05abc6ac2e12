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

// From a choice of kernels to runs of the program under ncu, as few as this ncu allows.

// One run of the program.
struct NcuJob {
  NcuOptions options;
  std::string base;    // Of its report, in the stage's directory: "run".
  std::string suffix;  // Of its log and command file: ".gemm"; empty if it is alone.
};

// One job, unless ncu cannot separate its parts in one run:
// - launch_skip and launch_count are counted over all kernels (or all of one size, with
//   --filter-mode per-launch-config), so each kernel gets its own job;
// - with range replay, each range of nvtx.include gets its own job, in regions/<label>/.
std::vector<NcuJob> JobsOf(const NcuOptions& options, const NcuSelection& selection);

// The options of one attempt, and what they lack of those asked for.
struct NcuAttempt {
  NcuOptions options;
  std::vector<std::string> dropped;  // "nvtx.include (decode/)"; empty: nothing.
};

// The options as they are, and what to try one after the other as long as ncu finds no
// kernels: without names, then also without the NVTX range, the sections, the metrics.
// The last of them profiles whatever there is with ncu's own set.
std::vector<NcuAttempt> AttemptsOf(const NcuOptions& options);

// Whether whole ranges are measured, and no kernels.
bool ReplaysRanges(const NcuOptions& options);

// The name of a range in an expression for ncu: "LLM@decode/" -> "decode".
std::string RangeLabel(const std::string& expression);

// The names of the ranges that kernels must lie in, as globs; empty: anywhere, also if an
// expression is a regular one.
std::vector<std::string> RangesOf(const NcuOptions& options);

// How a run of ncu ended, in one word that scripts can look for, with its cause and what
// to do about it. Without any kernel, ncu exits with 0.

// The table of outcome.cc has the same order, with what each means.
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
  std::string cause;  // Empty: as it should be.

  bool failed() const { return verdict != NcuVerdict::kProfiled; }
  std::string ToString() const;  // "NoKernels: ..."
};

// `log` is all that ncu printed.
NcuOutcome ClassifyNcu(const os::ProcessResult& process, std::string_view log,
                       bool has_report);

// Output of the runs of one attempt.
struct NcuRuns {
  std::vector<std::string> reports;
  std::optional<NcuOutcome> failure;  // The last one.
  std::vector<std::string> dropped;   // Of the options, to find kernels at all.

  bool FoundNoKernels() const {
    return reports.empty() && failure && failure->verdict == NcuVerdict::kNoKernels;
  }
};

// What an administrator does about counters; in the cause of kPermissionDenied.
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
  int64_t Passes() const;  // About how often a launch is replayed.
  // The kernels of this run, or of a list; none: all.
  Result<NcuSelection> Select(pipeline::StageContext& context) const;
  // All jobs of one attempt.
  Result<NcuRuns> Do(pipeline::StageContext& context, const std::vector<NcuJob>& jobs,
                     const std::string& attempt) const;
  // As configured, and with fewer and fewer filters as long as there are no kernels.
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
