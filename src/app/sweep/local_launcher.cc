#include "app/sweep/local_launcher.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>

#include "app/sweep/job_attempt.h"
#include "os/env.h"
#include "os/signal_watch.h"

namespace ridgeline::app {
namespace {

using artifacts::Attempt;
using artifacts::State;
using artifacts::SweepJob;

// A job that is asked to stop gives its own programs their grace period first.
constexpr double kJobGraceS = 120;

class LocalLauncher {
 public:
  LocalLauncher(artifacts::SweepManifest& sweep, const std::vector<size_t>& jobs,
                AttemptRequest request, const JobObserver& observer)
      : sweep_(sweep), jobs_(jobs), request_(std::move(request)), observer_(observer) {
    request_.run = [this](std::span<const std::string> arguments,
                          const std::filesystem::path& log) {
      return RunProcess(arguments, log);
    };
  }

  std::optional<int> Run() {
    std::vector<std::future<void>> workers;
    const size_t count =
        std::min(static_cast<size_t>(sweep_.parallel_jobs), jobs_.size());
    for (size_t i = 0; i < count; ++i) {
      // Fewer at once if no more threads can be started.
      workers.push_back(
          std::async(std::launch::async | std::launch::deferred, [this] { Work(); }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return signals_.first();
  }

 private:
  Result<os::ProcessResult> RunProcess(std::span<const std::string> arguments,
                                       const std::filesystem::path& log) const {
    os::Command command;
    command.directory = sweep_.working_directory;
    RIDGELINE_TRY(const std::filesystem::path program, os::ExecutablePath());
    command.argv = {program.string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    os::ProcessOptions options;
    options.log_file = log;
    options.append_to_log = true;
    options.grace_s = kJobGraceS;
    if (sweep_.timeout_s > 0) options.timeout_s = sweep_.timeout_s;
    return os::SystemProcessRunner(&signals_).Run(command, options);
  }

  void Work() {
    while (signals_.count() == 0) {
      const size_t index = next_++;
      if (index >= jobs_.size()) return;
      RunOne(sweep_.jobs[jobs_[index]]);
    }
  }

  void RunOne(SweepJob& job) {
    Tell(observer_.started, job);
    const auto ended = RunAttempt(request_, job);
    ++job.attempts;
    job.attempt = request_.attempt.id;
    if (!ended.ok()) {
      job.state = State::kFailed;
      job.reason = ended.error().message();
    } else if (!ended.value()) {
      job.state = State::kFailed;
      job.reason = "another process runs this job";
    } else {
      TakeAttempt(*ended.value(), job);
    }
    Tell(observer_.ended, job);
  }

  void TakeAttempt(const Attempt& end, SweepJob& job) const {
    job.state = end.state;
    job.outcome = end.outcome;
    job.reason = end.reason;
    job.exit_code = end.exit_code;
    job.wall_s = end.wall_s;
    job.host = end.host;
    const Status recorded = artifacts::EndAttempt(request_.directory, job.number, end);
    if (!recorded.ok() && job.reason.empty()) job.reason = recorded.error().message();
  }

  void Tell(const std::function<void(const SweepJob&)>& what, const SweepJob& job) {
    const std::lock_guard lock(mutex_);
    if (what) what(job);
  }

  artifacts::SweepManifest& sweep_;
  const std::vector<size_t>& jobs_;
  AttemptRequest request_;
  const JobObserver& observer_;
  const os::SignalWatch signals_;
  std::mutex mutex_;  // For the observer. Each job is written by one thread.
  std::atomic<size_t> next_ = 0;
};

}  // namespace

Result<std::optional<int>> RunLocally(artifacts::SweepManifest& sweep,
                                      const std::vector<size_t>& jobs, int submission,
                                      const JobObserver& observer) {
  const artifacts::SweepDir directory(sweep.directory);
  AttemptRequest request = {.directory = directory, .attempt = {}, .run = {}};
  request.attempt.id.submission = submission;
  request.attempt.pid = os::ProcessId();
  RIDGELINE_TRY(request.attempt.host, os::HostName());
  return LocalLauncher(sweep, jobs, std::move(request), observer).Run();
}

}  // namespace ridgeline::app
