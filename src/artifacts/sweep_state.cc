// The files of a sweep: writing, reading and combining them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "artifacts/run_dir.h"
#include "artifacts/run_state.h"
#include "artifacts/sweep_manifest.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

struct AttemptFile {
  int job = 0;
  AttemptId id;
  std::string what;  // "started", "ended", "slurm"
};

// "5.0.1.ended.json"; empty for other names.
std::optional<AttemptFile> ReadAttemptName(std::string_view name) {
  AttemptFile file;
  for (int* const number : {&file.job, &file.id.submission, &file.id.restart}) {
    const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), *number);
    if (error != std::errc() || *number < 0) return std::nullopt;
    name.remove_prefix(static_cast<size_t>(end - name.data()));
    if (!name.starts_with('.')) return std::nullopt;
    name.remove_prefix(1);
  }
  constexpr std::string_view kEnding = ".json";
  if (!name.ends_with(kEnding)) return std::nullopt;
  file.what = name.substr(0, name.size() - kEnding.size());
  const bool is_ours =
      file.what == "started" || file.what == "ended" || file.what == "slurm";
  return is_ours ? std::optional(file) : std::nullopt;
}

void TakeAttempt(const AttemptFile& file, Attempt attempt, JobFiles& files) {
  attempt.id = file.id;
  AttemptFiles& target = files[file.id];
  (file.what == "started" ? target.started
   : file.what == "ended" ? target.ended
                          : target.slurm) = std::move(attempt);
}

// For an attempt without readable files.
void TakeRunState(SweepJob& job) {
  const Result<Manifest> run = ReadManifestOf(RunDir(job.directory));
  job.state = run.ok() ? run.value().state : State::kFailed;
  job.reason = run.ok() ? run.value().reason : "its files below jobs/ are damaged";
  if (run.ok()) job.exit_code = run.value().exit_code;
}

// For an attempt without an end: only its run has more information.
void TakeRunState(const Attempt& attempt, SweepJob& job) {
  const Result<std::string> host = os::HostName();
  const bool is_here = host.ok() && host.value() == attempt.host;
  const Result<Manifest> read = ReadManifestOf(RunDir(job.directory));
  // Both times are from the same clock. An older run belongs to an earlier attempt.
  const Manifest* const run =
      read.ok() && read.value().started >= attempt.started ? &read.value() : nullptr;
  const bool is_done = read.ok() && read.value().state == State::kDone;
  // The process that waits for the run is about to record its end.
  if (is_here && os::IsProcessAlive(attempt.pid)) return;
  if (is_done || run != nullptr) {
    job.state = read.value().state;
    job.reason = read.value().reason;
    job.exit_code = read.value().exit_code;
  } else if (is_here) {
    job.state = State::kInterrupted;
    job.reason = "ridgeline was killed";
  }
}

void FindMissingRun(SweepJob& job) {
  job.lacks_run = job.state == State::kDone && !job.directory.empty() &&
                  !os::Exists(RunDir(job.directory).manifest());
  if (!job.lacks_run) return;
  job.reason = os::Exists(job.directory)
                   ? "run directory has no manifest.json; remove it to "
                     "run the job again"
                   : "run directory is missing";
}

// Reading a FIFO would wait forever for a writer.
Result<std::string> ReadRegularFile(const fs::path& path) {
  if (os::Exists(path) && !os::IsRegularFile(path)) {
    return Error(ErrorCode::kIo, path.string() + ": not a regular file");
  }
  return os::ReadFile(path);
}

// Reads a file into `files`; its attempt is added even if that fails.
Status ReadAttempt(const fs::path& path, const AttemptFile& file, JobFiles& files) {
  files.try_emplace(file.id);
  RIDGELINE_TRY(const std::string text, ReadRegularFile(path));
  RIDGELINE_TRY(Attempt attempt, ParseAttempt(text, path.string()));
  TakeAttempt(file, std::move(attempt), files);
  return Ok();
}

// "12.json"; empty for other names.
std::optional<int> SubmissionNumber(std::string_view name) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_ours = error == std::errc() && number >= 0 &&
                       name.substr(static_cast<size_t>(end - name.data())) == ".json";
  return is_ours ? std::optional(number) : std::nullopt;
}

Submission ReadSubmission(const fs::path& path, int number) {
  const Result<std::string> text = ReadRegularFile(path);
  Result<Submission> submission =
      text.ok() ? ParseSubmission(text.value(), path.string())
                : Result<Submission>(Error(text.error().code(), text.error().message()));
  if (submission.ok() && submission.value().number == number) {
    return std::move(submission).value();
  }
  Submission damaged;
  damaged.number = number;
  damaged.damage = submission.ok() ? path.string() + ": 'number' is not that of the file"
                                   : submission.error().message();
  return damaged;
}

// The current directory of the job's run, even if the whole sweep was moved.
void FollowMove(const SweepManifest& sweep, const fs::path& root, SweepJob& job) {
  const std::string before = sweep.directory + "/";
  if (sweep.directory.empty() || !job.directory.starts_with(before)) return;
  job.directory = (root / job.directory.substr(before.size())).string();
}

}  // namespace

fs::path SweepDir::attempt(int job, const AttemptId& id, std::string_view what) const {
  return jobs() / fmt::format("{}.{}.{}.{}.json", job, id.submission, id.restart, what);
}

Status WriteSweep(const SweepDir& directory, const SweepManifest& sweep) {
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory.jobs()));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory.log(0).parent_path()));
  return os::WriteFileAtomically(directory.manifest(), ToJson(sweep));
}

Result<bool> BeginAttempt(const SweepDir& directory, int job, const Attempt& attempt) {
  return os::WriteFileExclusively(directory.attempt(job, attempt.id, "started"),
                                  ToJson(attempt));
}

Status EndAttempt(const SweepDir& directory, int job, const Attempt& attempt) {
  return os::WriteFileAtomically(directory.attempt(job, attempt.id, "ended"),
                                 ToJson(attempt));
}

Status KeepSlurmState(const SweepDir& directory, int job, const Attempt& attempt) {
  RIDGELINE_TRY([[maybe_unused]] const bool is_first,
                os::WriteFileExclusively(directory.attempt(job, attempt.id, "slurm"),
                                         ToJson(attempt)));
  return Ok();
}

Result<JobFiles> ReadAttemptsOf(const SweepDir& directory, int job) {
  JobFiles files;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory.jobs()));
  for (const os::DirectoryEntry& entry : entries) {
    const std::optional<AttemptFile> file = ReadAttemptName(entry.name);
    if (!file || file->job != job) continue;
    // Unreadable files are skipped; the run's state is used instead.
    const Status read = ReadAttempt(directory.jobs() / entry.name, *file, files);
    static_cast<void>(read.ok());
  }
  return files;
}

Result<const std::map<int, JobFiles>*> AttemptReader::Read() {
  if (!os::IsDirectory(directory_.jobs())) return &jobs_;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory_.jobs()));
  for (const os::DirectoryEntry& entry : entries) {
    const std::optional<AttemptFile> file = ReadAttemptName(entry.name);
    if (!file || seen_.contains(entry.name)) continue;
    const Status read =
        ReadAttempt(directory_.jobs() / entry.name, *file, jobs_[file->job]);
    // On file systems without exclusive atomic creation, it is empty for a moment.
    if (!read.ok()) {
      damaged_[entry.name] = read.error().message();
      continue;
    }
    seen_.insert(entry.name);
    damaged_.erase(entry.name);
  }
  return &jobs_;
}

std::vector<std::string> AttemptReader::damaged() const {
  std::vector<std::string> messages;
  for (const auto& [name, message] : damaged_) messages.push_back(message);
  return messages;
}

Attempt Joined(const AttemptFiles& files) {
  // The job's own files are evidence; "NeverStarted" was inferred from their absence.
  const bool began = files.started || files.ended;
  const bool is_refuted = files.slurm && files.slurm->outcome == "NeverStarted" && began;
  const bool has_slurm = files.slurm && !is_refuted;
  if (!files.ended) return has_slurm ? *files.slurm : files.started.value_or(Attempt());
  Attempt end = *files.ended;
  if (!has_slurm || end.state == State::kDone || files.slurm->outcome.empty()) return end;
  end.requeued = false;  // Slurm has ended it permanently.
  if (!end.outcome.empty()) return end;
  end.state = files.slurm->state;
  end.outcome = files.slurm->outcome;
  end.reason = files.slurm->reason;
  return end;
}

void ApplyAttempts(const JobFiles& files, SweepJob& job) {
  if (files.empty()) return;
  const AttemptFiles& newest = files.rbegin()->second;
  const bool is_damaged = !newest.started && !newest.ended && !newest.slurm;
  const Attempt last = Joined(newest);
  job.attempts =
      static_cast<int>(std::count_if(files.begin(), files.end(), [](const auto& entry) {
        return entry.second.started.has_value() || entry.second.ended.has_value();
      }));
  job.attempt = files.rbegin()->first;
  job.has_end = newest.ended.has_value();
  job.state = last.state;
  job.outcome = last.outcome;
  job.reason = last.reason;
  job.exit_code = last.exit_code;
  job.wall_s = last.wall_s;
  job.host = last.host;
  job.slurm_id = last.slurm_id;
  if (last.requeued) job.state = State::kPending;
  if (is_damaged) {
    TakeRunState(job);
  } else if (last.state == State::kRunning) {
    TakeRunState(last, job);
  }
  FindMissingRun(job);
}

Result<SweepManifest> ReadSweep(const fs::path& directory) {
  RIDGELINE_TRY(const fs::path root, os::RealPath(directory));
  const SweepDir files(root);
  if (!os::Exists(files.manifest())) {
    return Error(ErrorCode::kNotFound,
                 root.string() + ": not a sweep directory, it has no sweep.json");
  }
  RIDGELINE_TRY(const std::string text, ReadRegularFile(files.manifest()));
  RIDGELINE_TRY(SweepManifest sweep, ParseSweep(text, files.manifest().string()));
  AttemptReader reader(files);
  RIDGELINE_TRY(const auto* const jobs, reader.Read());
  for (SweepJob& job : sweep.jobs) {
    FollowMove(sweep, root, job);
    const auto found = jobs->find(job.number);
    if (found != jobs->end()) ApplyAttempts(found->second, job);
  }
  sweep.damaged = reader.damaged();
  return sweep;
}

Result<std::vector<Submission>> ReadSubmissions(const SweepDir& directory) {
  std::vector<Submission> submissions;
  if (!os::IsDirectory(directory.submissions())) return submissions;
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory.submissions()));
  for (const os::DirectoryEntry& entry : entries) {
    const std::optional<int> number = SubmissionNumber(entry.name);
    if (!number) continue;
    submissions.push_back(ReadSubmission(directory.submission(*number), *number));
  }
  std::sort(submissions.begin(), submissions.end(),
            [](const Submission& a, const Submission& b) { return a.number < b.number; });
  return submissions;
}

}  // namespace ridgeline::artifacts
