#include "app/sweep/run_slurm_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/sweep/job_attempt.h"
#include "app/sweep/plan_of_job.h"
#include "artifacts/run_dir.h"
#include "launchers/slurm_client.h"
#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/signal_watch.h"
#include "os/standard_streams.h"

namespace ridgeline::app {
namespace {

using artifacts::Attempt;
using artifacts::JobFiles;
using artifacts::State;
using artifacts::SweepDir;
using artifacts::SweepJob;
using artifacts::SweepManifest;

std::string VariableOr(const char* name, const char* otherwise) {
  return os::GetEnv(name).value_or(otherwise);
}

Attempt AttemptHere(int submission) {
  Attempt attempt;
  attempt.id.submission = submission;
  attempt.id.restart = std::atoi(VariableOr("SLURM_RESTART_COUNT", "0").c_str());
  attempt.slurm_id = VariableOr("SLURM_ARRAY_JOB_ID", "?") + "_" +
                     VariableOr("SLURM_ARRAY_TASK_ID", "?");
  const Result<std::string> host = os::HostName();
  attempt.host = VariableOr("SLURMD_NODENAME", host.ok() ? host.value().c_str() : "?");
  attempt.pid = os::ProcessId();
  return attempt;
}

// Whether a later submission has the job, so that this one must not run.
Result<bool> IsSuperseded(const SweepDir& directory, int submission, int job) {
  RIDGELINE_TRY(const auto submissions, artifacts::ReadSubmissions(directory));
  return std::any_of(submissions.begin(), submissions.end(), [&](const auto& later) {
    return later.number > submission && later.error.empty() &&
           std::find(later.jobs.begin(), later.jobs.end(), job) != later.jobs.end();
  });
}

// A job whose run was deleted since is no longer done.
bool IsDone(const JobFiles& files, const SweepJob& job) {
  const bool was_done = std::any_of(files.begin(), files.end(), [](const auto& entry) {
    return entry.second.ended && entry.second.ended->state == State::kDone;
  });
  return was_done && os::Exists(artifacts::RunDir(job.directory).manifest());
}

bool HasOpenAttempt(const JobFiles& files) {
  return std::any_of(files.begin(), files.end(), [](const auto& entry) {
    return entry.second.started && !entry.second.ended;
  });
}

int TimeoutsOf(const JobFiles& files, int submission) {
  return static_cast<int>(std::count_if(files.begin(), files.end(), [&](const auto& e) {
    return e.first.submission == submission && e.second.ended &&
           e.second.ended->outcome == "Timeout";
  }));
}

// An earlier attempt may still be running on a node that Slurm has lost: its run holds
// the lock of its directory, and this one waits for it. Returns the job's files
// afterwards.
Result<JobFiles> WaitForEarlier(const SweepDir& directory, const SweepJob& job,
                                const os::SignalWatch& signals, const Streams& streams) {
  RIDGELINE_TRY(JobFiles files, artifacts::ReadAttemptsOf(directory, job.number));
  bool is_told = false;
  while (HasOpenAttempt(files) && !IsDone(files, job)) {
    const Result<bool> held = os::DirectoryLock::IsHeld(job.directory);
    const bool is_held = held.ok() && held.value();
    if (is_held && !is_told) {
      streams.err << "ridgeline: an earlier attempt still runs; waiting for it\n"
                  << std::flush;
      is_told = true;
    }
    // Read once more after its end: the run ends before the attempt is recorded.
    if (signals.WaitFor(std::chrono::seconds(1))) break;
    RIDGELINE_TRY(files, artifacts::ReadAttemptsOf(directory, job.number));
    if (!is_held) break;
  }
  return files;
}

// The job was notified of its time limit.
void EndByTimeLimit(const SweepManifest& sweep, int timeouts, Attempt& attempt) {
  attempt.state = State::kFailed;
  attempt.outcome = "Timeout";
  attempt.requeued = timeouts < sweep.max_num_timeout;
  attempt.reason = "time limit reached (hydra.launcher.timeout_min)";
  if (attempt.requeued) {
    attempt.reason += fmt::format("; requeued, {} of {} (hydra.launcher.max_num_timeout)",
                                  timeouts + 1, sweep.max_num_timeout);
  }
}

Status Requeue(const SweepDir& directory, int job, Attempt& attempt) {
  os::SystemProcessRunner processes;
  launchers::SlurmClient client(processes);
  const Status requeued = client.Requeue(attempt.slurm_id);
  if (requeued.ok()) return Ok();
  attempt.requeued = false;
  attempt.reason = "time limit reached, and not requeued: " + requeued.error().message();
  return artifacts::EndAttempt(directory, job, attempt);
}

// The last part of the log written by this process.
std::string EndOfLog(const std::filesystem::path& log, int64_t begin) {
  constexpr size_t kKept = size_t{64} << 10;
  const Result<std::string> text = os::ReadFile(log);
  if (!text.ok() || text.value().size() < static_cast<size_t>(begin)) return "";
  const std::string_view written =
      std::string_view(text.value()).substr(static_cast<size_t>(begin));
  return std::string(written.substr(written.size() - std::min(written.size(), kKept)));
}

// In this process: starting another one would cost a short job more than all other
// overhead of a sweep.
Result<os::ProcessResult> RunHere(std::span<const std::string> arguments,
                                  const std::filesystem::path& log,
                                  const os::SignalWatch& signals,
                                  const Streams& streams) {
  const auto begun = std::chrono::steady_clock::now();
  const int64_t before = os::FileSize(log).ok() ? os::FileSize(log).value() : 0;
  os::ProcessResult result;
  bool is_written = true;
  {
    RIDGELINE_TRY(const os::OutputInFile output, os::OutputInFile::Begin(log));
    ExitStatus status = ExitStatus::kFailed;
    try {
      status = RunCommand(arguments.subspan(1), streams);
    } catch (const std::exception& e) {
      Fail(streams, ErrorOf(e));
    }
    result.exit_code = static_cast<int>(status);
    streams.out.flush();
    is_written = streams.out.good() && streams.err.good();
  }
  if (!is_written) {
    streams.out.clear();
    streams.err.clear();
    return Error(ErrorCode::kIo, log.string() + ": write failed (disk full?)");
  }
  result.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (result.ok()) return result;
  result.interrupted_by = signals.first();
  result.output = EndOfLog(log, before);
  return result;
}

Result<ExitStatus> RunAndRecord(const SweepManifest& sweep, const SweepJob& job,
                                int submission, const Streams& streams) {
  const os::SignalWatch signals(os::SignalWatch::Signals::kWithTimeLimit);
  const SweepDir directory(sweep.directory);
  RIDGELINE_TRY(const bool superseded, IsSuperseded(directory, submission, job.number));
  if (superseded) {
    streams.err << "ridgeline: the job was submitted again, and is run there\n";
    return ExitStatus::kDone;
  }
  RIDGELINE_TRY(const JobFiles files, WaitForEarlier(directory, job, signals, streams));
  if (IsDone(files, job)) {
    streams.err << "ridgeline: the job is done already\n";
    return ExitStatus::kDone;
  }
  RIDGELINE_RETURN_IF_ERROR(os::ChangeDirectory(sweep.working_directory));
  const AttemptRequest request = {.directory = directory,
                                  .attempt = AttemptHere(submission),
                                  .run = [&](std::span<const std::string> arguments,
                                             const std::filesystem::path& log) {
                                    return RunHere(arguments, log, signals, streams);
                                  }};
  RIDGELINE_TRY(std::optional<Attempt> ended, RunAttempt(request, job));
  if (!ended) {
    return Error(ErrorCode::kConfig, "this attempt of the job was started before");
  }
  if (signals.first() == SIGUSR2 && ended->state != State::kDone) {
    EndByTimeLimit(sweep, TimeoutsOf(files, submission), *ended);
  }
  RIDGELINE_RETURN_IF_ERROR(artifacts::EndAttempt(directory, job.number, *ended));
  if (ended->requeued) {
    RIDGELINE_RETURN_IF_ERROR(Requeue(directory, job.number, *ended));
  }
  if (ended->state == State::kDone) return ExitStatus::kDone;
  streams.err << fmt::format("ridgeline: job {} {}: {}\n", job.number,
                             ToText(ended->state), ended->reason);
  return static_cast<ExitStatus>(ended->exit_code.value_or(1) == 0 ? 1
                                                                   : *ended->exit_code);
}

}  // namespace

ExitStatus RunSlurmJob(const std::filesystem::path& directory, int submission, int job,
                       const Streams& streams) {
  const Result<SweepManifest> sweep = ReadPlanOfJob(SweepDir(directory), job);
  if (!sweep.ok()) return Fail(streams, sweep.error());
  const Result<ExitStatus> status =
      RunAndRecord(sweep.value(), sweep.value().jobs.front(), submission, streams);
  return status.ok() ? status.value() : Fail(streams, status.error());
}

}  // namespace ridgeline::app
