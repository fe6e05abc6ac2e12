// hydra/launcher=slurm: hands jobs of a sweep to Slurm.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "launchers/slurm_client.h"
#include "launchers/slurm_options.h"

namespace ridgeline::app {

// What Slurm would not tell before the first job: no sbatch, no controller, secrets that
// sweep.json does not have. Nothing was written when this fails.
Result<launchers::SlurmLimits> CheckCluster(const artifacts::SweepManifest& sweep,
                                            launchers::SlurmClient& client);

struct PlannedScript {
  std::filesystem::path path;
  std::string text;
};
// The job script of `sweep`, and where it goes.
Result<PlannedScript> PlanJobScript(const launchers::SlurmOptions& options,
                                    const artifacts::SweepManifest& sweep);

// Writes the job script and the directory of its logs, and notes the script in `sweep`.
Status WriteJobScript(const launchers::SlurmOptions& options,
                      artifacts::SweepManifest& sweep);

// kConfig: the job script is not as it was written.
Status CheckJobScript(const artifacts::SweepManifest& sweep);

// Submits these jobs (numbers, ascending) as arrays; the caller has the lock (LockSweep).
// Each call of sbatch is recorded before it is made, and again with its id. kConfig: what
// sbatch said.
Status SubmitJobs(const artifacts::SweepManifest& sweep, const std::vector<int>& jobs,
                  const launchers::SlurmLimits& limits, launchers::SlurmClient& client);

}  // namespace ridgeline::app
