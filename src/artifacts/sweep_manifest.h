// sweep.json: the jobs of a sweep and the state of each.
//
//   <sweep>/sweep.json                      the plan, written once, before the first job
//   <sweep>/jobs/<job>.<submission>.<restart>.started.json
//   <sweep>/jobs/<job>.<submission>.<restart>.ended.json
//   <sweep>/jobs/<job>.<submission>.<restart>.slurm.json
//   <sweep>/submissions/<submission>.json   one call of sbatch
//
// A file below jobs/ is written once, by one process, and never changes: the process that
// starts an attempt writes both "started" and "ended". For an attempt that ended without
// a record, Slurm's state is kept in "slurm" by the process that queried it, because a
// controller forgets its jobs after minutes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artifacts/manifest.h"
#include "base/result.h"

namespace ridgeline::artifacts {

inline constexpr int kSweepVersion = 1;

// One attempt to run a job: by the `submission`-th call of sbatch or `sweep resume` (0:
// the sweep itself), requeued `restart` times by Slurm. Later attempts compare greater.
struct AttemptId {
  int submission = 0;
  int restart = 0;

  auto operator<=>(const AttemptId&) const = default;
};

// The contents of "started" and, with the rest, of "ended" and "slurm".
struct Attempt {
  AttemptId id;
  std::string host;      // Node name.
  std::string slurm_id;  // "123_4"; empty: not started by Slurm.
  int64_t pid = 0;       // Of the process that waits for the job.
  std::string started;   // ISO 8601 with offset.

  State state = State::kRunning;
  std::string outcome;  // "Timeout", "NodeFailure", ...; empty: no named one.
  std::string reason;
  std::optional<int> exit_code;
  std::optional<double> wall_s;
  std::string ended;
  bool requeued = false;  // It requested a requeue from Slurm.

  bool operator==(const Attempt&) const = default;
};

struct SweepJob {
  int number = 0;
  std::vector<std::string> overrides;  // Without secrets and those common to all jobs.
  std::string directory;               // Run directory; absolute.
  std::vector<std::string> arguments;  // Of `ridgeline`, for this job only.

  // Not part of sweep.json: derived from the files of its attempts (ReadSweep).
  State state = State::kPending;
  std::string outcome;
  std::string reason;
  std::optional<int> exit_code;
  std::optional<double> wall_s;  // Of the last attempt.
  int attempts = 0;              // Number started.
  std::string host;
  std::string slurm_id;
  std::optional<AttemptId> attempt;  // The last one started.
  bool has_end = false;              // Its end was recorded.
  bool lacks_run = false;            // Done, but its run has been deleted.

  bool operator==(const SweepJob&) const = default;
};

struct SweepManifest {
  std::string ridgeline_version;
  std::string launcher;  // "basic", "local", "slurm"
  std::string created;   // ISO 8601 with offset.
  // Of the command that started the sweep, without the program; no secrets.
  std::vector<std::string> arguments;
  std::string working_directory;  // Of that command and of all jobs.
  std::string directory;          // Sweep directory; absolute.
  int parallel_jobs = 1;          // On this machine, or in a job array.
  double timeout_s = 0;           // Of a local job; 0: none.
  // Slurm only.
  std::string job_script;         // Absolute.
  std::string job_script_sha256;  // At the time of writing.
  int max_num_timeout = 0;        // Maximum number of requeues after a timeout.
  std::vector<SweepJob> jobs;
  // Not part of sweep.json: unreadable files of jobs and submissions, with reasons.
  std::vector<std::string> damaged;

  bool operator==(const SweepManifest&) const = default;
};

// One call of sbatch: its array tasks are the jobs first_job + index. Written before the
// call, without an id, and again with it.
struct Submission {
  int number = 0;
  std::string slurm_id;  // "123"; empty: not (yet) confirmed by sbatch.
  int first_job = 0;     // Job of array index 0.
  std::vector<int> jobs;
  std::string created;
  std::string error;  // The error message of sbatch; empty: none.
  // Not part of the file: why it cannot be read; then only the number is known.
  std::string damage;

  bool IsUnconfirmed() const { return slurm_id.empty() && error.empty(); }
  bool operator==(const Submission&) const = default;
};

// The files of a sweep.
class SweepDir {
 public:
  explicit SweepDir(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path manifest() const { return root_ / "sweep.json"; }
  std::filesystem::path multirun() const { return root_ / "multirun.yaml"; }
  std::filesystem::path jobs() const { return root_ / "jobs"; }
  std::filesystem::path submissions() const { return root_ / "submissions"; }
  std::filesystem::path submission(int number) const {
    return submissions() / (std::to_string(number) + ".json");
  }
  // Output of a job.
  std::filesystem::path log(int job) const {
    return root_ / "logs" / ("job_" + std::to_string(job) + ".log");
  }
  // `what` is "started", "ended" or "slurm".
  std::filesystem::path attempt(int job, const AttemptId& id,
                                std::string_view what) const;

 private:
  std::filesystem::path root_;
};

// Pretty-printed, "schema_version" first, without secrets and without the fields added by
// ReadSweep. ParseSweep ignores unknown keys; missing ones have their default. kParse:
// not a sweep; kUnsupported: written by a newer version.
std::string ToJson(const SweepManifest& sweep);
Result<SweepManifest> ParseSweep(std::string_view json, std::string_view origin);

std::string ToJson(const Attempt& attempt);
Result<Attempt> ParseAttempt(std::string_view json, std::string_view origin);

std::string ToJson(const Submission& submission);
Result<Submission> ParseSubmission(std::string_view json, std::string_view origin);

// Writes the plan; also creates jobs/ and the log directory.
Status WriteSweep(const SweepDir& directory, const SweepManifest& sweep);

// Begins an attempt: false if this id already exists, i.e. belongs to another process.
Result<bool> BeginAttempt(const SweepDir& directory, int job, const Attempt& attempt);
Status EndAttempt(const SweepDir& directory, int job, const Attempt& attempt);
// Stores Slurm's state of an attempt that did not record its end; the first state is
// kept.
Status KeepSlurmState(const SweepDir& directory, int job, const Attempt& attempt);

// The files of one attempt.
struct AttemptFiles {
  std::optional<Attempt> started;
  std::optional<Attempt> ended;
  std::optional<Attempt> slurm;
};

// Combines them. The job's own record takes precedence over Slurm's state, which may add
// an outcome to a failure, e.g. that a signal was a timeout.
Attempt Joined(const AttemptFiles& files);

// All known attempts of a job. If the files of an attempt cannot be read, its entry is
// empty.
using JobFiles = std::map<AttemptId, AttemptFiles>;

// Of one job.
Result<JobFiles> ReadAttemptsOf(const SweepDir& directory, int job);

// Reads the files below jobs/, each at most once in its lifetime: for callers that poll.
class AttemptReader {
 public:
  explicit AttemptReader(SweepDir directory) : directory_(std::move(directory)) {}

  // By job number.
  Result<const std::map<int, JobFiles>*> Read();

  // Files that could not be read the last time, with reasons: "/sweep/jobs/...: is not
  // JSON".
  std::vector<std::string> damaged() const;

 private:
  SweepDir directory_;
  std::set<std::string> seen_;  // File names.
  std::map<int, JobFiles> jobs_;
  std::map<std::string, std::string> damaged_;  // By file name.
};

// Sets the job's state from its files. An attempt without an end, and without a state
// from Slurm, is running as long as its run is. If its files are damaged, the state of
// its run is used.
void ApplyAttempts(const JobFiles& files, SweepJob& job);

// The plan in `directory` with the current state of each job. Does not query Slurm: for
// its jobs only their files are used. kNotFound: not a sweep.
Result<SweepManifest> ReadSweep(const std::filesystem::path& directory);

// Oldest first; numbers of deleted files are missing.
Result<std::vector<Submission>> ReadSubmissions(const SweepDir& directory);

}  // namespace ridgeline::artifacts
