// The job script of a sweep, and the arguments of sbatch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launchers/slurm_options.h"

namespace ridgeline::launchers {

// Exit codes of the job script if the job cannot start.
inline constexpr int kCannotSeeSweep = 66;    // sweep.json is not readable on the node.
inline constexpr int kCannotSeeProgram = 69;  // ridgeline is not executable there.

struct ScriptPlaces {
  std::filesystem::path sweep;              // Directory of the sweep.
  std::filesystem::path program;            // ridgeline.
  std::filesystem::path folder;             // For Slurm's logs; exists at submission.
  std::filesystem::path working_directory;  // Of the jobs.
};

// The part of `submitit_folder` before the first name with a '%': Slurm expands that, but
// does not create directories.
std::filesystem::path FixedFolder(const std::filesystem::path& submitit_folder);

// How long before the time limit a job is signaled to stop, in seconds: signal_delay_s,
// but at most timeout_min less five seconds.
int64_t SignalDelay(const SlurmOptions& options);

// The script shared by all jobs. Its arguments are the submission number and the job of
// array index 0.
std::string JobScript(const SlurmOptions& options, const ScriptPlaces& places);

// "0-3,7%16": sorted job indices relative to `first_job`.
std::string ArrayText(const std::vector<int>& jobs, int first_job, int64_t parallelism);

// Jobs that fit in one array: all indices are below `max_array_size`.
struct ArrayPart {
  int first_job = 0;
  std::vector<int> jobs;

  bool operator==(const ArrayPart&) const = default;
};
std::vector<ArrayPart> SplitIntoArrays(const std::vector<int>& jobs, int max_array_size);

// The key of hydra.launcher that a message of sbatch refers to; empty: unknown.
std::string KeyOfMessage(std::string_view message);

}  // namespace ridgeline::launchers
