#include "app/sweep/slurm_launcher.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/secrets.h"
#include "launchers/slurm_script.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

using artifacts::Submission;
using artifacts::SweepDir;
using artifacts::SweepManifest;

namespace fs = std::filesystem;

// Jobs read their arguments from sweep.json, which contains no secrets.
Status CheckSecrets(const SweepManifest& sweep) {
  for (const artifacts::SweepJob& job : sweep.jobs) {
    const std::vector<std::string> shown = WithoutSecrets(job.arguments);
    for (size_t i = 0; i < shown.size(); ++i) {
      if (shown[i] == job.arguments[i] && shown[i].find(kRedacted) == std::string::npos) {
        continue;
      }
      return Error(ErrorCode::kConfig,
                   fmt::format("job {}: its arguments contain a secret, which is not "
                               "stored for the nodes: {}\n"
                               "hint: read it from a variable there: '${{oc.env:NAME}}'",
                               job.number, shown[i]));
    }
  }
  return Ok();
}

Status SubmitArray(const SweepManifest& sweep, const launchers::ArrayPart& part,
                   int number, launchers::SlurmClient& client) {
  const SweepDir directory(sweep.directory);
  Submission submission = {.number = number,
                           .slurm_id = "",
                           .first_job = part.first_job,
                           .jobs = part.jobs,
                           .created = os::Timestamp(),
                           .error = ""};
  const fs::path record = directory.submission(number);
  RIDGELINE_TRY(const bool is_ours, os::WriteFileExclusively(record, ToJson(submission)));
  if (!is_ours) {
    return Error(ErrorCode::kConfig,
                 sweep.directory + ": another process submits jobs of this sweep");
  }
  Result<std::string> id =
      client.Submit(sweep.job_script,
                    launchers::ArrayText(part.jobs, part.first_job, sweep.parallel_jobs),
                    {std::to_string(number), std::to_string(part.first_job)});
  if (id.ok()) {
    submission.slurm_id = id.value();
  } else {
    submission.error = id.error().message();
  }
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(record, ToJson(submission)));
  if (!id.ok()) return std::move(id).error();
  return Ok();
}

}  // namespace

Result<launchers::SlurmLimits> CheckCluster(const SweepManifest& sweep,
                                            launchers::SlurmClient& client) {
  RIDGELINE_RETURN_IF_ERROR(CheckSecrets(sweep));
  const Result<fs::path> sbatch = os::FindProgram("sbatch");
  if (!sbatch.ok()) {
    return Error(ErrorCode::kNotFound,
                 "hydra/launcher=slurm: " + sbatch.error().message() +
                     "\nhint: run it on a login node of the cluster, or use "
                     "hydra/launcher=local");
  }
  Result<launchers::SlurmLimits> limits = client.Limits();
  if (!limits.ok()) {
    return Error(limits.error().code(),
                 "hydra/launcher=slurm: the controller does not answer: " +
                     limits.error().message() + "\nhint: see `scontrol ping`");
  }
  return limits;
}

Result<PlannedScript> PlanJobScript(const launchers::SlurmOptions& options,
                                    const SweepManifest& sweep) {
  launchers::ScriptPlaces places = {
      .sweep = sweep.directory,
      .program = {},
      .folder = launchers::FixedFolder(fs::path(sweep.working_directory) /
                                       options.submitit_folder),
      .working_directory = sweep.working_directory};
  RIDGELINE_TRY(places.program, os::ExecutablePath());
  return PlannedScript{places.folder / "job.sh", JobScript(options, places)};
}

Status WriteJobScript(const launchers::SlurmOptions& options, SweepManifest& sweep) {
  RIDGELINE_TRY(const PlannedScript script, PlanJobScript(options, sweep));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(script.path.parent_path()));
  sweep.job_script = script.path.string();
  sweep.job_script_sha256 = Sha256(script.text);
  return os::WriteFileAtomically(script.path, script.text);
}

Status CheckJobScript(const SweepManifest& sweep) {
  RIDGELINE_TRY(const std::string script, os::ReadFile(sweep.job_script));
  if (Sha256(script) == sweep.job_script_sha256) return Ok();
  return Error(ErrorCode::kConfig,
               sweep.job_script +
                   ": was edited since it was written\nhint: undo the edit, or start a "
                   "new sweep; options of sbatch go into "
                   "hydra.launcher.additional_parameters, commands into "
                   "hydra.launcher.setup");
}

Status SubmitJobs(const SweepManifest& sweep, const std::vector<int>& jobs,
                  const launchers::SlurmLimits& limits, launchers::SlurmClient& client) {
  RIDGELINE_TRY(const auto before, artifacts::ReadSubmissions(SweepDir(sweep.directory)));
  int number = before.empty() ? 0 : before.back().number + 1;
  for (const launchers::ArrayPart& part :
       launchers::SplitIntoArrays(jobs, limits.max_array_size)) {
    RIDGELINE_RETURN_IF_ERROR(SubmitArray(sweep, part, number++, client));
  }
  return Ok();
}

}  // namespace ridgeline::app
