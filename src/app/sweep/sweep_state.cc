#include "app/sweep/sweep_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/sweep/sweep_lock.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::Submission;
using artifacts::SweepJob;
using launchers::SlurmTask;
using Clock = std::chrono::steady_clock;

// For the whole sweep, regardless of the number of jobs.
constexpr auto kAskInterval = std::chrono::seconds(5);

bool HasEnded(State state) {
  return state == State::kDone || state == State::kFailed || state == State::kInterrupted;
}

bool IsLocked(const artifacts::SweepManifest& sweep) {
  const Result<bool> held = os::DirectoryLock::IsHeld(LockedDirectory(sweep));
  return held.ok() && held.value();
}

// Takes the id, first job and jobs of the array from the queue; false if it is not there.
// The command of a task is "<script> <submission> <first job>".
bool FindInQueue(const std::string& script, const std::vector<SlurmTask>& queue,
                 Submission& submission) {
  const std::string command = fmt::format("{} {} ", script, submission.number);
  std::set<int> jobs;
  for (const SlurmTask& task : queue) {
    if (!task.command.starts_with(command)) continue;
    submission.slurm_id = task.array_id;
    submission.first_job = std::atoi(task.command.c_str() + command.size());
    jobs.insert(submission.first_job + task.index);
  }
  if (submission.damage.empty() || jobs.empty()) return !jobs.empty();
  submission.jobs.assign(jobs.begin(), jobs.end());
  submission.damage.clear();
  return true;
}

}  // namespace

// Checks the lock before and after: a submission may get its id, or begin, in between.
Status SweepState::ReadSubmissions(const os::DirectoryLock* ours) {
  const bool was_locked = ours == nullptr && IsLocked(plan_);
  RIDGELINE_TRY(submissions_, artifacts::ReadSubmissions(directory_));
  is_locked_ = was_locked || (ours == nullptr && IsLocked(plan_));
  return Ok();
}

void SweepState::TakeTasks() {
  tasks_.clear();
  for (const Submission& submission : submissions_) {
    if (!submission.error.empty()) continue;
    for (const int job : submission.jobs) {
      tasks_[job] = {.submission = submission.number,
                     .array_id = submission.slurm_id,
                     .index = job - submission.first_job};
    }
  }
  // Attempts record their array, even if the file of the submission is damaged.
  for (const auto& [job, attempts] : *files_) {
    for (const auto& [id, attempt] : attempts) {
      const std::string slurm_id = artifacts::Joined(attempt).slurm_id;
      const size_t underscore = slurm_id.find('_');
      const auto known = tasks_.find(job);
      const bool is_newer =
          known == tasks_.end() || known->second.submission < id.submission;
      if (!is_newer || underscore == std::string::npos) continue;
      tasks_[job] = {.submission = id.submission,
                     .array_id = slurm_id.substr(0, underscore),
                     .index = std::atoi(slurm_id.c_str() + underscore + 1)};
    }
  }
}

// For submissions whose command was killed before it recorded the id, or whose file is
// damaged: finds them in Slurm by script and arguments.
void SweepState::FindUnconfirmed() {
  const auto is_unconfirmed = [](const Submission& s) { return s.IsUnconfirmed(); };
  if (is_locked_ ||
      std::none_of(submissions_.begin(), submissions_.end(), is_unconfirmed)) {
    return;
  }
  const Result<std::vector<SlurmTask>> queue = client_.OwnQueue();
  if (!queue.ok()) return;
  for (Submission& submission : submissions_) {
    if (!submission.IsUnconfirmed()) continue;
    if (!FindInQueue(plan_.job_script, queue.value(), submission)) continue;
    const Status kept = os::WriteFileAtomically(directory_.submission(submission.number),
                                                ToJson(submission));
    if (!kept.ok()) silence_ = kept.error().message();
  }
  TakeTasks();
}

void SweepState::TakeAnswer(const std::vector<SlurmTask>& tasks) {
  // Keeps tasks that Slurm has forgotten since.
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
  answered_ = std::move(ids);
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
  TakeAccounting(past.value());
}

// Accounting has only the last attempt of a task, without its restart count.
void SweepState::TakeAccounting(std::vector<SlurmTask> past) {
  std::map<TaskKey, int> restarts;
  for (const auto& [job, task] : tasks_) {
    const auto files = files_->find(job);
    if (files == files_->end()) continue;
    const artifacts::AttemptId last = files->second.rbegin()->first;
    if (last.submission == task.submission) {
      restarts[{task.array_id, task.index}] = last.restart;
    }
  }
  for (SlurmTask& task : past) {
    const TaskKey key = {task.array_id, task.index};
    task.restart = restarts[key];
    answer_.try_emplace(key, std::move(task));
  }
}

void SweepState::Keep(const SweepJob& job,
                      const std::optional<artifacts::Attempt>& attempt) const {
  if (!attempt) return;
  // Ignores full or read-only disks: the next process that asks stores it.
  const Status kept = artifacts::KeepSlurmState(directory_, job.number, *attempt);
  static_cast<void>(kept.ok());
}

void SweepState::JoinSlurm(size_t index) {
  SweepJob& job = now_.jobs[index];
  JobPhase& phase = phases_[index];
  const auto found = tasks_.find(job.number);
  if (found == tasks_.end()) {
    phase = HasEnded(job.state) ? JobPhase::kEnded
            : is_locked_        ? JobPhase::kActive
                                : JobPhase::kNotSubmitted;
    if (phase == JobPhase::kActive) job.reason = "being submitted";
    if (phase == JobPhase::kNotSubmitted) job.reason = "not submitted";
    return;
  }
  const Task& task = found->second;
  // An attempt of an earlier submission is irrelevant for this one, unless it is done.
  if (job.attempt && job.attempt->submission < task.submission &&
      (job.state != State::kDone || job.lacks_run)) {
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
    if (phase == JobPhase::kNotSubmitted && is_locked_) {
      phase = JobPhase::kActive;
      job.reason = "being submitted";
    }
    if (phase == JobPhase::kNotSubmitted) job.reason = "not submitted: sbatch was killed";
    return;
  }
  const auto known = answer_.find({task.array_id, task.index});
  // Another process may have submitted the array since.
  const bool is_answered = answered_.contains(task.array_id);
  const bool may_run = known == answer_.end() ? !is_answered
                                              : launchers::PhaseOf(known->second.state) !=
                                                    launchers::SlurmPhase::kEnded;
  // Its run has ended, and the job is about to record that.
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
  } else if (is_answered) {
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
  } else if (job.state == State::kRunning || is_locked_) {
    phases_[index] = JobPhase::kActive;
  } else {
    phases_[index] = JobPhase::kNotSubmitted;
  }
}

void SweepState::JoinJob(size_t index) {
  SweepJob& job = now_.jobs[index];
  if (job.state == State::kDone && job.has_end && !job.lacks_run) return;  // Final.
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

// Slurm first: a job that Slurm reports as ended has already written its files.
Status SweepState::Refresh(const os::DirectoryLock* ours) {
  if (UsesSlurm()) {
    RIDGELINE_RETURN_IF_ERROR(ReadSubmissions(ours));
    RIDGELINE_TRY(files_, reader_.Read());
    TakeTasks();
    AskSlurm();
  } else {
    is_locked_ = ours == nullptr && IsLocked(plan_);
  }
  RIDGELINE_TRY(files_, reader_.Read());
  now_.damaged = reader_.damaged();
  for (const Submission& submission : submissions_) {
    if (!submission.damage.empty()) now_.damaged.push_back(submission.damage);
  }
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
