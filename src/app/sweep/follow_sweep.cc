#include "app/sweep/follow_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>

#include "app/run/sweep_report.h"
#include "app/sweep/local_launcher.h"
#include "os/command.h"
#include "os/process_runner.h"
#include "os/signal_watch.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::SweepJob;
using Clock = std::chrono::steady_clock;

// Short at first, when everything may be over in a moment; longer for sweeps of hours.
std::chrono::milliseconds LookInterval(double elapsed_s) {
  constexpr double kSoonS = 10;
  return std::chrono::milliseconds(elapsed_s < kSoonS ? 200 : 1000);
}

bool IsEnd(State state) {
  return state == State::kDone || state == State::kFailed || state == State::kInterrupted;
}

class Follower {
 public:
  Follower(const artifacts::SweepManifest& sweep, launchers::SlurmClient& client,
           SweepPrinter& printer)
      : state_(sweep, client), printer_(printer) {}

  // False: interrupted.
  Result<bool> Follow(Past past, const os::SignalWatch& signals) {
    const Clock::time_point begun = Clock::now();
    if (past == Past::kSkip) {
      RIDGELINE_RETURN_IF_ERROR(state_.Refresh());
      TakeShown();
      if (printer_.IsTalkative() && !state_.IsOver()) {
        printer_.Note(fmt::format("sweep {}: {}", state_.sweep().directory,
                                  SweepCounts(state_.sweep().jobs)));
      }
    }
    while (true) {
      RIDGELINE_RETURN_IF_ERROR(state_.Refresh());
      ShowChanges();
      if (signals.count() > 0) return false;
      ShowSilence();
      ShowDamage();
      if (state_.IsOver()) return true;
      const double elapsed_s =
          std::chrono::duration<double>(Clock::now() - begun).count();
      printer_.ShowLive(state_.sweep(), elapsed_s);
      if (signals.WaitFor(LookInterval(elapsed_s))) return false;
    }
  }

  const SweepState& state() const { return state_; }

 private:
  void ShowChanges() {
    for (size_t i = 0; i < shown_.size(); ++i) {
      const SweepJob& job = state_.sweep().jobs[i];
      if (job.state == shown_[i] && job.outcome == outcomes_[i]) continue;
      // Wait for Slurm, which knows the reason for the signal.
      if (job.state == State::kInterrupted && state_.IsUnsettled(i)) continue;
      const bool began =
          job.state == State::kRunning ||
          (IsEnd(job.state) && shown_[i] == State::kPending && job.attempts > 0);
      if (began) printer_.JobStarted(job);
      // A failure is shown again once Slurm reports the reason.
      if (IsEnd(job.state)) printer_.JobEnded(job);
      shown_[i] = job.state;
      outcomes_[i] = job.outcome;
    }
  }

  void TakeShown() {
    for (size_t i = 0; i < shown_.size(); ++i) {
      shown_[i] = state_.sweep().jobs[i].state;
      outcomes_[i] = state_.sweep().jobs[i].outcome;
    }
  }

  void ShowSilence() {
    if (state_.silence().empty() == was_silent_) {
      was_silent_ = !was_silent_;
      printer_.Note(was_silent_
                        ? fmt::format("note: the Slurm controller does not answer ({}); "
                                      "jobs continue; retrying",
                                      state_.silence())
                        : "note: the Slurm controller answers again");
    }
  }

  void ShowDamage() {
    for (const std::string& message : state_.sweep().damaged) {
      if (damaged_.insert(message).second) printer_.Note(DamageNote(message));
    }
  }

  SweepState state_;
  SweepPrinter& printer_;
  std::set<std::string> damaged_;  // Files already reported.
  std::vector<State> shown_ =
      std::vector<State>(state_.sweep().jobs.size(), State::kPending);
  std::vector<std::string> outcomes_ =
      std::vector<std::string>(state_.sweep().jobs.size());
  bool was_silent_ = false;
};

void WriteReport(const artifacts::SweepManifest& sweep, SweepPrinter& printer,
                 const Streams& streams) {
  printer.ClearLive();
  ReportSweep(sweep.directory,
              printer.IsTalkative() ? ReportTalk::kBestJobs : ReportTalk::kErrorsOnly,
              streams);
}

}  // namespace

std::string DamageNote(const std::string& message) {
  return "note: " + message + "; the file is ignored";
}

ExitStatus StatusOf(const std::vector<SweepJob>& jobs) {
  const bool all_done = std::all_of(jobs.begin(), jobs.end(), [](const SweepJob& job) {
    return job.state == State::kDone;
  });
  return all_done ? ExitStatus::kDone : ExitStatus::kFailed;
}

ExitStatus FollowSweep(const artifacts::SweepManifest& sweep, Past past,
                       SweepPrinter& printer, const Streams& streams) {
  const os::SignalWatch signals;
  // An interrupt also ends the wait for an unresponsive controller.
  os::SystemProcessRunner processes(&signals);
  launchers::SlurmClient client(processes);
  Follower follower(sweep, client, printer);
  const Result<bool> ended = follower.Follow(past, signals);
  if (!ended.ok()) return Fail(streams, ended.error());
  const artifacts::SweepManifest& now = follower.state().sweep();
  if (ended.value()) {
    const ExitStatus status = StatusOf(now.jobs);
    WriteReport(now, printer, streams);
    printer.SweepEnded(now, status);
    return status;
  }
  const std::string directory = os::ShellQuoted(sweep.directory);
  printer.Note(
      fmt::format("detached ({}); the jobs keep running", SweepCounts(now.jobs)));
  streams.err << "ridgeline: hint: to come back: ridgeline sweep attach " << directory
              << "\nridgeline: hint: to end them: ridgeline sweep cancel " << directory
              << '\n';
  return static_cast<ExitStatus>(ExitCodeOfSignal(signals.first().value_or(0)));
}

ExitStatus FollowLocally(artifacts::SweepManifest& sweep, const std::vector<size_t>& jobs,
                         int submission, SweepPrinter& printer, const Streams& streams) {
  const JobObserver observer = {
      .started = [&](const SweepJob& job) { printer.JobStarted(job); },
      .ended = [&](const SweepJob& job) { printer.JobEnded(job); }};
  const auto signal_number = RunLocally(sweep, jobs, submission, observer);
  if (!signal_number.ok()) return Fail(streams, signal_number.error());
  ExitStatus status = StatusOf(sweep.jobs);
  if (signal_number.value()) {
    status = static_cast<ExitStatus>(ExitCodeOfSignal(*signal_number.value()));
  }
  WriteReport(sweep, printer, streams);
  printer.SweepEnded(sweep, status);
  return status;
}

}  // namespace ridgeline::app
