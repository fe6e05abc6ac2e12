// The job script of a sweep, and the arguments of sbatch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launchers/slurm_options.h"

namespace ridgeline::launchers {

// Exit codes of the job script where the job cannot begin.
inline constexpr int kCannotSeeSweep = 66;    // sweep.json is not readable on the node.
inline constexpr int kCannotSeeProgram = 69;  // ridgeline is not executable there.

struct ScriptPlaces {
  std::filesystem::path sweep;              // Directory of the sweep.
  std::filesystem::path program;            // ridgeline.
  std::filesystem::path folder;             // Of Slurm's logs; exists at submission.
  std::filesystem::path working_directory;  // Of the jobs.
};

// The part of `submitit_folder` before the first name with a '%': Slurm replaces that,
// but creates no directory.
std::filesystem::path FixedFolder(const std::filesystem::path& submitit_folder);

// Seconds before the time limit at which a job is signalled to stop: signal_delay_s, but at
// most all but five seconds of timeout_min.
int64_t SignalDelay(const SlurmOptions& options);

// The script of every job. Its arguments are the number of the submission and the job
// of array index 0.
std::string JobScript(const SlurmOptions& options, const ScriptPlaces& places);

// "0-3,7%16": indices of the jobs, sorted, relative to `first_job`.
std::string ArrayText(const std::vector<int>& jobs, int first_job, int64_t parallelism);

// Jobs that one array can have: all indices are below `max_array_size`.
struct ArrayPart {
  int first_job = 0;
  std::vector<int> jobs;

  bool operator==(const ArrayPart&) const = default;
};
std::vector<ArrayPart> SplitIntoArrays(const std::vector<int>& jobs, int max_array_size);

// The key of hydra.launcher that a message of sbatch is about; empty: unknown.
std::string KeyOfMessage(std::string_view message);

}  // namespace ridgeline::launchers
