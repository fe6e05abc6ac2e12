// hydra/launcher=slurm: submits jobs of a sweep to Slurm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "launchers/slurm_client.h"
#include "launchers/slurm_options.h"

namespace ridgeline::app {

// Checks for problems that would otherwise only appear with the first job: no sbatch, no
// controller, secrets that are not in sweep.json. Writes nothing.
Result<launchers::SlurmLimits> CheckCluster(const artifacts::SweepManifest& sweep,
                                            launchers::SlurmClient& client);

struct PlannedScript {
  std::filesystem::path path;
  std::string text;
};
// The job script of `sweep`, and its path.
Result<PlannedScript> PlanJobScript(const launchers::SlurmOptions& options,
                                    const artifacts::SweepManifest& sweep);

// Writes the job script and its log directory, and records the script in `sweep`.
Status WriteJobScript(const launchers::SlurmOptions& options,
                      artifacts::SweepManifest& sweep);

// kConfig: the job script was modified.
Status CheckJobScript(const artifacts::SweepManifest& sweep);

// Submits these jobs (numbers, ascending) as arrays; the caller holds the lock
// (LockSweep). Each call of sbatch is recorded before it is made, and again with its id.
// kConfig: the error message of sbatch.
Status SubmitJobs(const artifacts::SweepManifest& sweep, const std::vector<int>& jobs,
                  const launchers::SlurmLimits& limits, launchers::SlurmClient& client);

}  // namespace ridgeline::app
