#include "app/sweep/sweep_state.h"

#include <fmt/format.h>

#include "os/directory_lock.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::Submission;
using artifacts::SweepJob;
using launchers::SlurmTask;
using Clock = std::chrono::steady_clock;

// For the whole sweep, however many jobs it has.
constexpr auto kAskInterval = std::chrono::seconds(5);

bool HasEnded(State state) {
  return state == State::kDone || state == State::kFailed || state == State::kInterrupted;
}

}  // namespace

Status SweepState::ReadSubmissions() {
  RIDGELINE_TRY(submissions_, artifacts::ReadSubmissions(directory_));
  tasks_.clear();
  for (const Submission& submission : submissions_) {
    if (!submission.error.empty()) continue;
    for (const int job : submission.jobs) {
      tasks_[job] = {.submission = submission.number,
                     .array_id = submission.slurm_id,
                     .index = job - submission.first_job};
    }
  }
  return Ok();
}

// A submission whose command was killed before it could note the id: Slurm knows the
// script and its arguments.
void SweepState::FindUnconfirmed() {
  bool is_confirmed = true;
  for (const Submission& submission : submissions_) {
    is_confirmed =
        is_confirmed && !(submission.slurm_id.empty() && submission.error.empty());
  }
  if (is_confirmed) return;
  const Result<std::vector<SlurmTask>> queue = client_.OwnQueue();
  if (!queue.ok()) return;
  for (Submission& submission : submissions_) {
    if (!submission.slurm_id.empty() || !submission.error.empty()) continue;
    const std::string command = fmt::format("{} {} {}", plan_.job_script,
                                            submission.number, submission.first_job);
    for (const SlurmTask& task : queue.value()) {
      if (task.command == command) submission.slurm_id = task.array_id;
    }
    if (submission.slurm_id.empty()) continue;
    const Status kept = os::WriteFileAtomically(directory_.submission(submission.number),
                                                ToJson(submission));
    if (!kept.ok()) silence_ = kept.error().message();
    for (const int job : submission.jobs) {
      if (tasks_[job].submission == submission.number) {
        tasks_[job].array_id = submission.slurm_id;
      }
    }
  }
}

void SweepState::TakeAnswer(const std::vector<SlurmTask>& tasks) {
  // What it forgets stays known.
  for (const SlurmTask& task : tasks) answer_[{task.array_id, task.index}] = task;
}

void SweepState::AskSlurm() {
  const Clock::time_point now = Clock::now();
  if (asked_ && now < *asked_ + kAskInterval) return;
  asked_ = now;
  FindUnconfirmed();
  std::set<std::string> ids;
  for (const auto& [job, task] : tasks_) {
    if (!task.array_id.empty()) ids.insert(task.array_id);
  }
  if (ids.empty()) return;
  const std::vector<std::string> list(ids.begin(), ids.end());
  const Result<std::vector<SlurmTask>> answer = client_.Queue(list);
  if (!answer.ok()) {
    silence_ = answer.error().message();
    return;
  }
  silence_.clear();
  has_answer_ = true;
  TakeAnswer(answer.value());
  bool is_complete = true;
  for (const auto& [job, task] : tasks_) {
    is_complete = is_complete && answer_.contains({task.array_id, task.index});
  }
  if (is_complete) return;
  if (!has_accounting_) {
    const Result<launchers::SlurmLimits> limits = client_.Limits();
    has_accounting_ = limits.ok() && limits.value().has_accounting;
  }
  if (!*has_accounting_) return;
  const Result<std::vector<SlurmTask>> past = client_.Accounting(list);
  if (!past.ok()) return;
  for (const SlurmTask& task : past.value()) {
    answer_.try_emplace({task.array_id, task.index}, task);
  }
}

void SweepState::Keep(const SweepJob& job,
                      const std::optional<artifacts::Attempt>& attempt) const {
  if (!attempt) return;
  // A disk that is full, or not ours to write: the next one who asks keeps it.
  const Status kept = artifacts::KeepSlurmState(directory_, job.number, *attempt);
  static_cast<void>(kept.ok());
}

void SweepState::JoinSlurm(size_t index) {
  SweepJob& job = now_.jobs[index];
  JobPhase& phase = phases_[index];
  const auto found = tasks_.find(job.number);
  if (found == tasks_.end()) {
    phase = HasEnded(job.state) ? JobPhase::kEnded : JobPhase::kNotSubmitted;
    if (phase == JobPhase::kNotSubmitted) job.reason = "not submitted";
    return;
  }
  const Task& task = found->second;
  // An attempt of an earlier submission says nothing about this one, unless it is done.
  if (job.attempt && job.attempt->submission < task.submission &&
      job.state != State::kDone) {
    const int attempts = job.attempts;
    job = plan_.jobs[index];
    job.attempts = attempts;
  }
  if (job.slurm_id.empty() && !task.array_id.empty()) {
    job.slurm_id = fmt::format("{}_{}", task.array_id, task.index);
  }
  if (job.state == State::kDone && job.has_end) {
    phase = JobPhase::kEnded;
    return;
  }
  if (task.array_id.empty()) {
    phase = HasEnded(job.state) ? JobPhase::kEnded : JobPhase::kNotSubmitted;
    if (job.state == State::kRunning) phase = JobPhase::kActive;
    if (phase == JobPhase::kNotSubmitted) job.reason = "not submitted: sbatch was killed";
    return;
  }
  const auto known = answer_.find({task.array_id, task.index});
  const bool may_run = known == answer_.end() ? !has_answer_
                                              : launchers::PhaseOf(known->second.state) !=
                                                    launchers::SlurmPhase::kEnded;
  // Its run has ended, and the job is about to say so.
  if (!job.has_end && HasEnded(job.state) && may_run) {
    job.state = State::kRunning;
    phase = JobPhase::kActive;
    return;
  }
  if (known != answer_.end()) {
    Keep(job, launchers::ApplySlurm(known->second, task.submission, job));
    if (launchers::PhaseOf(known->second.state) == launchers::SlurmPhase::kEnded) {
      confirmed_.insert(job.number);
    }
  } else if (has_answer_) {
    Keep(job, launchers::ApplyForgotten(fmt::format("{}_{}", task.array_id, task.index),
                                        task.submission, job));
    confirmed_.insert(job.number);
  }
  phase = HasEnded(job.state) ? JobPhase::kEnded : JobPhase::kActive;
}

void SweepState::JoinLocal(size_t index) {
  SweepJob& job = now_.jobs[index];
  if (HasEnded(job.state)) {
    phases_[index] = JobPhase::kEnded;
  } else if (job.state == State::kRunning || launcher_lives_) {
    phases_[index] = JobPhase::kActive;
  } else {
    phases_[index] = JobPhase::kNotSubmitted;
  }
}

void SweepState::JoinJob(size_t index) {
  SweepJob& job = now_.jobs[index];
  if (job.state == State::kDone && job.has_end) return;  // For good.
  job = plan_.jobs[index];
  const auto found = files_->find(job.number);
  if (found != files_->end()) artifacts::ApplyAttempts(found->second, job);
  if (UsesSlurm()) {
    JoinSlurm(index);
  } else {
    JoinLocal(index);
  }
  if (job.state == State::kDone) phases_[index] = JobPhase::kEnded;
}

// Slurm first: a job that it says has ended had written its files before.
Status SweepState::Refresh() {
  if (UsesSlurm()) {
    RIDGELINE_RETURN_IF_ERROR(ReadSubmissions());
    AskSlurm();
  } else {
    const Result<bool> held = os::DirectoryLock::IsHeld(directory_.jobs());
    launcher_lives_ = held.ok() && held.value();
  }
  RIDGELINE_TRY(files_, reader_.Read());
  phases_.resize(now_.jobs.size(), JobPhase::kActive);
  for (size_t i = 0; i < now_.jobs.size(); ++i) JoinJob(i);
  return Ok();
}

bool SweepState::IsOver() const {
  for (size_t i = 0; i < now_.jobs.size(); ++i) {
    if (phases_[i] == JobPhase::kActive) return false;
    if (IsUnsettled(i)) return false;
  }
  return true;
}

bool SweepState::IsUnsettled(size_t index) const {
  const SweepJob& job = now_.jobs[index];
  return UsesSlurm() && launchers::MayKnowMore(job) && !confirmed_.contains(job.number) &&
         silence_.empty();
}

std::vector<std::string> SweepState::ActiveArrays() const {
  std::set<std::string> ids;
  for (size_t i = 0; i < now_.jobs.size(); ++i) {
    const auto task = tasks_.find(now_.jobs[i].number);
    if (phases_[i] == JobPhase::kActive && task != tasks_.end() &&
        !task->second.array_id.empty()) {
      ids.insert(task->second.array_id);
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace ridgeline::app
