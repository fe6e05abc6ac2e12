#include <fmt/format.h>

#include <atomic>
#include <future>
#include <mutex>
#include <ostream>

#include "app/command_support.h"
#include "app/run/run_job.h"
#include "app/run/run_setup.h"
#include "app/run/sweep_plan.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "artifacts/run_state.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/signal_watch.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

// A job that was asked to end gives its own programs their grace first.
constexpr double kJobGraceS = 120;

// How a job ended, in its own words where it left some.
JobOutcome Classify(const PlannedJob& job, const Result<os::ProcessResult>& ran) {
  JobOutcome end;
  if (!ran.ok()) {
    end.reason = ran.error().message();
    return end;
  }
  end.wall_s = ran.value().wall_s;
  end.exit_code = ran.value().exit_code;
  end.state = ran.value().ok()             ? State::kDone
              : ran.value().interrupted_by ? State::kInterrupted
                                           : State::kFailed;
  if (end.state == State::kDone) return end;
  end.reason = os::Describe(ran.value());
  const Result<artifacts::Manifest> manifest =
      artifacts::ReadManifestOf(artifacts::RunDir(job.directory));
  if (manifest.ok() && !manifest.value().reason.empty())
    end.reason = manifest.value().reason;
  return end;
}

class Launcher {
 public:
  Launcher(const SweepPlan& plan, fs::path program, SweepPrinter& printer)
      : plan_(plan), program_(std::move(program)), printer_(printer) {
    ends_.resize(plan.jobs.size());
  }

  // Every job is run, whatever becomes of the others, unless we are interrupted.
  std::vector<JobOutcome> Run() {
    std::vector<std::future<void>> workers;
    const size_t count = std::min(plan_.parallel_jobs, plan_.jobs.size());
    for (size_t i = 0; i < count; ++i) {
      // Fewer at once where no more threads can be started.
      workers.push_back(
          std::async(std::launch::async | std::launch::deferred, [this] { Work(); }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return ends_;
  }

  std::optional<int> interrupted_by() const { return signals_.first(); }

 private:
  void Work() {
    while (signals_.count() == 0) {
      const size_t index = next_++;
      if (index >= plan_.jobs.size()) return;
      RunOne(plan_.jobs[index], ends_[index]);
    }
  }

  void RunOne(const PlannedJob& job, JobOutcome& end) {
    {
      const std::lock_guard lock(mutex_);
      printer_.JobStarted(job);
    }
    os::Command command;
    command.argv = {program_.string()};
    command.argv.insert(command.argv.end(), job.arguments.begin(), job.arguments.end());
    os::ProcessOptions options;
    options.log_file = JobLog(plan_.directory, job.number);
    options.grace_s = kJobGraceS;
    end = Classify(job, os::SystemProcessRunner(&signals_).Run(command, options));
    const std::lock_guard lock(mutex_);
    printer_.JobEnded(job, end);
  }

  const SweepPlan& plan_;
  const fs::path program_;
  SweepPrinter& printer_;
  const os::SignalWatch signals_;
  std::mutex mutex_;  // Of the printer.
  std::atomic<size_t> next_ = 0;
  std::vector<JobOutcome> ends_;  // Each job's own; no lock needed.
};

// Writes multirun.yaml, which claims the directory; false if another sweep has it.
// Logs that are there without it are the user's.
Result<bool> Claim(const SweepPlan& plan) {
  const fs::path claim = fs::path(plan.directory) / "multirun.yaml";
  for (const PlannedJob& job : plan.jobs) {
    const fs::path log = JobLog(plan.directory, job.number);
    if (!os::Exists(log) || os::Exists(claim)) continue;
    return Error(ErrorCode::kConfig,
                 log.string() +
                     ": exists, and would be overwritten; choose a new or empty "
                     "directory with hydra.sweep.dir=DIR");
  }
  RIDGELINE_RETURN_IF_ERROR(os::CreatePrivateDirectory(plan.directory));
  RIDGELINE_RETURN_IF_ERROR(
      os::CreateDirectories(JobLog(plan.directory, 0).parent_path()));
  return os::WriteFileExclusively(claim, plan.multirun_yaml);
}

// Plans again under another name for as long as the directory is taken.
ridgeline::Result<SweepPlan, ExitStatus> PlanAndClaim(const RunOptions& options,
                                                      const Streams& streams) {
  auto plan = PlanSweepJobs(options, streams);
  if (!plan.ok() || options.dry_run) return plan;
  const std::string wanted = plan.value().directory;
  for (int number = 2;; ++number) {
    const Result<bool> claimed = Claim(plan.value());
    if (!claimed.ok()) return Fail(streams, claimed.error());
    if (claimed.value()) return plan;
    RunOptions again = options;
    again.hydra.overrides.push_back(
        QuotedOverride("hydra.sweep.dir", fmt::format("{}-{}", wanted, number)));
    std::ostream nowhere(nullptr);
    plan = PlanSweepJobs(again, {nowhere, nowhere});
    if (!plan.ok()) return plan;
  }
}

}  // namespace

ExitStatus RunSweep(const RunOptions& options, const Streams& streams) {
  auto plan = PlanAndClaim(options, streams);
  if (!plan.ok()) return plan.error();
  if (options.dry_run) {
    PrintSweepPlan(plan.value(), streams.out);
    return ExitStatus::kDone;
  }
  Result<fs::path> program = os::ExecutablePath();
  if (!program.ok()) return Fail(streams, program.error());
  SweepPrinter printer(options, streams);
  printer.SweepStarted(plan.value());
  Launcher launcher(plan.value(), program.value(), printer);
  const std::vector<JobOutcome> ends = launcher.Run();
  ExitStatus status = ExitStatus::kDone;
  for (const JobOutcome& end : ends) {
    if (end.state != State::kDone) status = ExitStatus::kFailed;
  }
  if (const std::optional<int> signal_number = launcher.interrupted_by()) {
    status = static_cast<ExitStatus>(ExitCodeOfSignal(*signal_number));
  }
  printer.SweepEnded(plan.value(), ends, status);
  return status;
}

}  // namespace ridgeline::app
