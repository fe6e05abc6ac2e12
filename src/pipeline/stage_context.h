// Everything a stage may use while it runs; no globals, no environment.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "artifacts/manifest.h"
#include "base/result.h"
#include "os/owned_directory.h"
#include "os/process_runner.h"
#include "pipeline/past_results.h"
#include "pipeline/run_observer.h"
#include "pipeline/run_plan.h"
#include "pipeline/stage.h"
#include "ranks/rank_end.h"

namespace ridgeline::pipeline {

struct RunServices {
  os::ProcessRunner& processes;
  RunObserver& observer;
  const os::SignalWatch* signals = nullptr;  // Null: not interruptible.
  PastResults* past = nullptr;               // Null: none.
};

class StageContext {
 public:
  // All arguments must outlive it. Processes are recorded in `record`.
  StageContext(const RunServices& services, const PlannedStage& stage, StagePlace place,
               double grace_s, artifacts::StageRecord& record);

  const StagePlace& place() const { return place_; }
  // As printed by --dry-run.
  const StagePlan& plan() const { return stage_.plan; }

  // Runs a program with the stage's remaining time as timeout, keeps its log and command
  // line in the stage's directory, and records its exit. The caller evaluates the exit
  // code; an error means that the program did not run. For a workload with ranks, the
  // result combines all ranks into one process.
  Result<os::ProcessResult> Run(const PlannedCommand& planned);

  // Waits, but not beyond an interrupt; the next program is then interrupted, too.
  void Pause(std::chrono::milliseconds time) const;

  // The ranks of the last command that had ranks.
  const ranks::RanksEnd& ranks() const { return ranks_; }
  // Sets the named outcome of one rank's profile.
  void SetRankOutcome(int64_t rank, std::string name);

  // Fails if the program did not succeed; the error has its exit status, its last output
  // line and the path of the log.
  Status CheckEnd(const PlannedCommand& planned, const os::ProcessResult& result) const;

  // Recreates the workload's scratch directory with the input of the workload.
  Status PrepareWorkload(const WorkloadPlace& workload) const;

  // The kernels captured by nsys in this run; see PastResults.
  Result<std::vector<KernelTime>> PastKernels(
      const std::vector<std::string>& ranges) const {
    if (services_.past == nullptr) return std::vector<KernelTime>();
    return services_.past->Kernels(ranges);
  }

  // For moving and deleting files of the stage.
  os::OwnedDirectory owned() const { return os::OwnedDirectory(place_.directory); }

  // Atomically writes a text file of the stage.
  Status Write(std::string_view name, std::string_view text) const;

  // Information that readers of the results must know.
  void Note(std::string text) { record_.notes.push_back(std::move(text)); }

  // The named outcome ("NoRangeHit"), and the overrides that would fix it.
  void SetOutcome(std::string name, std::vector<std::string> retry_overrides = {}) {
    record_.outcome = std::move(name);
    record_.retry_overrides = std::move(retry_overrides);
  }

  // Whether the output matches the reference, and a one-line summary. If the workload
  // runs several times, a failure takes precedence.
  void NoteParity(artifacts::Parity parity, std::string detail) {
    if (record_.parity == artifacts::Parity::kFailed) return;
    record_.parity = parity;
    record_.parity_detail = std::move(detail);
  }

  // Why a program could not be started, if any.
  std::optional<ErrorCode> start_error() const { return start_error_; }

 private:
  std::optional<double> TimeLeft() const;
  std::optional<Progress> ReadProgress() const;
  Status WriteCommandFile(const PlannedCommand& planned) const;
  void WriteDown(const PlannedCommand& planned, const Result<os::ProcessResult>& result);
  Result<os::ProcessResult> RunHere(const PlannedCommand& planned,
                                    const os::Command& command);
  Result<os::ProcessResult> RunOnRanks(const PlannedCommand& planned);
  Status WriteRankPlan(const PlannedCommand& planned) const;
  void TakeRanks(const PlannedCommand& planned, os::ProcessResult& launcher);
  std::string LogSeen(const PlannedCommand& planned) const;

  const RunServices& services_;
  const PlannedStage& stage_;
  const StagePlace place_;
  const double grace_s_;
  const std::chrono::steady_clock::time_point started_;
  artifacts::StageRecord& record_;
  std::optional<ErrorCode> start_error_;
  ranks::RanksEnd ranks_;
};

// A workload can report progress by writing "3 20 pages" (done, total, unit) to the file
// named by RIDGELINE_PROGRESS_FILE; "3" and "3 20" are valid too.

inline constexpr std::string_view kProgressVariable = "RIDGELINE_PROGRESS_FILE";

// Empty if the text is invalid: a half-written file is soon read again.
std::optional<Progress> ParseProgress(std::string_view text);

}  // namespace ridgeline::pipeline
