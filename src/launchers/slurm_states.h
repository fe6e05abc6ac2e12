// What Slurm says of the tasks of a job array, and what it means for a job of a sweep.
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
  int restart = 0;    // How often it was requeued.
  int exit_code = 0;
  int signal = 0;
  std::string nodes;
  std::string reason;   // Slurm's word: "Resources"; empty: none.
  std::string command;  // The job script with its arguments.

  std::string id() const { return array_id + "_" + std::to_string(index); }

  bool operator==(const SlurmTask&) const = default;
};

// The arguments of squeue that make it print what ParseQueue reads, for all tasks, also
// those that ended, as long as the controller knows them.
std::vector<std::string> QueueArguments();

// One task per line; other lines are ignored.
std::vector<SlurmTask> ParseQueue(std::string_view text);

// The same for `sacct`, which knows tasks that the controller has forgotten, but not how
// often they were requeued. Options and fields that Slurm 22.05 has.
std::vector<std::string> AccountingArguments(const std::vector<std::string>& array_ids);
std::vector<SlurmTask> ParseAccounting(std::string_view text);

enum class SlurmPhase { kWaiting, kRunning, kEnded };
SlurmPhase PhaseOf(std::string_view state);

// How a job ended that did not say so itself: state, outcome ("NodeFailure") and reason.
struct SlurmEnd {
  artifacts::State state = artifacts::State::kFailed;
  std::string outcome;
  std::string reason;

  bool operator==(const SlurmEnd&) const = default;
};
// `started`: the job began in this attempt.
SlurmEnd EndOf(const SlurmTask& task, bool started);

// All outcomes that a job of a sweep can have, for documentation and tests.
std::vector<std::string> Outcomes();

// Joins `task` into the state that the files of the job gave it (artifacts). Returns what
// is to be kept (artifacts::KeepSlurmState), if Slurm knows more than those.
std::optional<artifacts::Attempt> ApplySlurm(const SlurmTask& task, int submission,
                                             artifacts::SweepJob& job);

// The same for a task that Slurm has forgotten.
std::optional<artifacts::Attempt> ApplyForgotten(const std::string& task_id,
                                                 int submission,
                                                 artifacts::SweepJob& job);

// Whether Slurm may know more of the end of the job than the job itself: a signal can be
// a timeout, a preemption or a lack of memory.
bool MayKnowMore(const artifacts::SweepJob& job);

}  // namespace ridgeline::launchers
