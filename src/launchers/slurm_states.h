// Slurm's state of the tasks of a job array, and its meaning for the jobs of a sweep.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artifacts/sweep_manifest.h"

namespace ridgeline::launchers {

struct SlurmTask {
  std::string array_id;  // "123"
  int index = 0;
  std::string state;  // "RUNNING"
  int restart = 0;    // Number of requeues.
  int exit_code = 0;
  int signal = 0;
  std::string nodes;
  std::string reason;   // Slurm's term: "Resources"; empty: none.
  std::string command;  // The job script with its arguments.

  std::string id() const { return array_id + "_" + std::to_string(index); }

  bool operator==(const SlurmTask&) const = default;
};

// The arguments that make squeue print the input of ParseQueue, for all tasks known to
// the controller, including finished ones.
std::vector<std::string> QueueArguments();

// One task per line; other lines are ignored.
std::vector<SlurmTask> ParseQueue(std::string_view text);

// The same for `sacct`, which knows tasks that the controller has forgotten, but not
// their number of requeues. Uses only options and fields of Slurm 22.05.
std::vector<std::string> AccountingArguments(const std::vector<std::string>& array_ids);
std::vector<SlurmTask> ParseAccounting(std::string_view text);

enum class SlurmPhase { kWaiting, kRunning, kEnded };
SlurmPhase PhaseOf(std::string_view state);

// The end of a job that did not record it itself: state, outcome ("NodeFailure") and
// reason.
struct SlurmEnd {
  artifacts::State state = artifacts::State::kFailed;
  std::string outcome;
  std::string reason;

  bool operator==(const SlurmEnd&) const = default;
};
// `started`: the job started in this attempt.
SlurmEnd EndOf(const SlurmTask& task, bool started);

// All possible outcomes of a sweep job, for documentation and tests.
std::vector<std::string> Outcomes();

// Merges `task` into the state derived from the job's files (artifacts). Returns the
// attempt to store (artifacts::KeepSlurmState) if Slurm knows more than the files.
std::optional<artifacts::Attempt> ApplySlurm(const SlurmTask& task, int submission,
                                             artifacts::SweepJob& job);

// The same for a task that Slurm has forgotten.
std::optional<artifacts::Attempt> ApplyForgotten(const std::string& task_id,
                                                 int submission,
                                                 artifacts::SweepJob& job);

// Whether Slurm may know more about the end of the job than the job itself: a signal can
// be a timeout, a preemption or out of memory.
bool MayKnowMore(const artifacts::SweepJob& job);

}  // namespace ridgeline::launchers
