// Current state of a sweep, from its files and from Slurm.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "launchers/slurm_client.h"
#include "os/directory_lock.h"

namespace ridgeline::app {

// Phase of a job, for people and programs that wait for it.
enum class JobPhase {
  kNotSubmitted,  // It will not start by itself.
  kActive,        // Waiting in Slurm, or running.
  kEnded,
};

class SweepState {
 public:
  // `client` is not used for a sweep on this machine.
  SweepState(artifacts::SweepManifest sweep, launchers::SlurmClient& client)
      : plan_(std::move(sweep)),
        now_(plan_),
        directory_(plan_.directory),
        reader_(directory_),
        client_(client) {}

  // Queries Slurm unless it was queried less than five seconds ago, then reads the files.
  // Fails for file errors only: jobs keep running while a controller does not answer.
  // `ours`: the lock of the sweep, if this process holds it (LockSweep).
  Status Refresh(const os::DirectoryLock* ours = nullptr);

  const artifacts::SweepManifest& sweep() const { return now_; }
  JobPhase PhaseOf(size_t index) const { return phases_[index]; }
  // No job is active, and Slurm was queried about every end it may know more about.
  bool IsOver() const;
  // Whether Slurm may still know more about the end of a job than its files.
  bool IsUnsettled(size_t index) const;
  bool UsesSlurm() const { return plan_.launcher == "slurm"; }
  // Arrays with active jobs.
  std::vector<std::string> ActiveArrays() const;
  // Last error of the controller; empty: it answers.
  const std::string& silence() const { return silence_; }

 private:
  struct Task {
    int submission = 0;
    std::string array_id;  // Empty: unconfirmed submission.
    int index = 0;
  };
  using TaskKey = std::pair<std::string, int>;

  Status ReadSubmissions(const os::DirectoryLock* ours);
  void TakeTasks();
  void AskSlurm();
  void FindUnconfirmed();
  void TakeAnswer(const std::vector<launchers::SlurmTask>& tasks);
  void TakeAccounting(std::vector<launchers::SlurmTask> past);
  void JoinJob(size_t index);
  void JoinSlurm(size_t index);
  void JoinLocal(size_t index);
  void Keep(const artifacts::SweepJob& job,
            const std::optional<artifacts::Attempt>& attempt) const;

  artifacts::SweepManifest plan_;
  artifacts::SweepManifest now_;
  artifacts::SweepDir directory_;
  artifacts::AttemptReader reader_;
  launchers::SlurmClient& client_;
  const std::map<int, artifacts::JobFiles>* files_ = nullptr;  // Owned by the reader.
  std::vector<artifacts::Submission> submissions_;
  std::map<int, Task> tasks_;  // By job number; last submission.
  std::map<TaskKey, launchers::SlurmTask> answer_;
  std::set<std::string> answered_;  // Arrays that the last answer is about.
  std::optional<bool> has_accounting_;
  std::string silence_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
  std::vector<JobPhase> phases_;
  std::set<int> confirmed_;  // Jobs whose end is confirmed by Slurm.
  bool is_locked_ = false;   // Another process submits or runs jobs.
};

}  // namespace ridgeline::app
