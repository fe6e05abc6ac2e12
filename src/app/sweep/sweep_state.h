// The state of a sweep now, from its files and from Slurm.
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

// How a job stands, for people and programs that wait for it.
enum class JobPhase {
  kNotSubmitted,  // It will not start by itself.
  kActive,        // It waits in Slurm, or runs.
  kEnded,
};

class SweepState {
 public:
  // `client` is not asked for a sweep on this machine.
  SweepState(artifacts::SweepManifest sweep, launchers::SlurmClient& client)
      : plan_(std::move(sweep)),
        now_(plan_),
        directory_(plan_.directory),
        reader_(directory_),
        client_(client) {}

  // Asks Slurm unless it was asked less than five seconds ago, then reads the files. An
  // error of the files only: a controller that does not answer does not end a job.
  // `ours`: the lock of the sweep, if this process has it (LockSweep).
  Status Refresh(const os::DirectoryLock* ours = nullptr);

  const artifacts::SweepManifest& sweep() const { return now_; }
  JobPhase PhaseOf(size_t index) const { return phases_[index]; }
  // No job is active, and Slurm was asked about every end it may know more about.
  bool IsOver() const;
  // Whether Slurm may still say more about the end of a job than the job has.
  bool IsUnsettled(size_t index) const;
  bool UsesSlurm() const { return plan_.launcher == "slurm"; }
  // Arrays with jobs that are active.
  std::vector<std::string> ActiveArrays() const;
  // What the controller last said instead of an answer; empty: it answers.
  const std::string& silence() const { return silence_; }

 private:
  struct Task {
    int submission = 0;
    std::string array_id;  // Empty: the submission is not confirmed.
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
  const std::map<int, artifacts::JobFiles>* files_ = nullptr;  // Of the reader.
  std::vector<artifacts::Submission> submissions_;
  std::map<int, Task> tasks_;  // By job number: of its last submission.
  std::map<TaskKey, launchers::SlurmTask> answer_;
  bool has_answer_ = false;
  std::optional<bool> has_accounting_;
  std::string silence_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
  std::vector<JobPhase> phases_;
  std::set<int> confirmed_;  // Jobs whose end Slurm knows.
  bool is_locked_ = false;  // Another process submits or runs jobs.
};

}  // namespace ridgeline::app
