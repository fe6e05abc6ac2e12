#include "artifacts/sweep_manifest.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "artifacts/run_dir.h"
#include "os/env.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::artifacts {
namespace {

SweepManifest TwoJobs(const std::string& root) {
  SweepManifest sweep;
  sweep.launcher = "slurm";
  sweep.created = "2026-11-18T10:00:00.000+00:00";
  sweep.arguments = {"-m", "run.repeats=1,2"};
  sweep.working_directory = "/home/me";
  sweep.directory = root;
  sweep.parallel_jobs = 4;
  sweep.job_script = root + "/.submitit/job.sh";
  sweep.job_script_sha256 = "abc";
  sweep.max_num_timeout = 2;
  for (int number = 0; number < 2; ++number) {
    SweepJob job;
    job.number = number;
    job.overrides = {"run.repeats=" + std::to_string(number + 1)};
    job.directory = root + "/" + std::to_string(number);
    job.arguments = {"run", "--sweep-job", "x='a b'"};
    sweep.jobs.push_back(job);
  }
  return sweep;
}

TEST(SweepManifestTest, IsReadAsItWasWritten) {
  const SweepManifest sweep = TwoJobs("/sweep");
  const Result<SweepManifest> read = ParseSweep(ToJson(sweep), "sweep.json");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), sweep);

  Attempt attempt;
  attempt.id = {.submission = 2, .restart = 1};
  attempt.state = State::kFailed;
  attempt.outcome = "Timeout";
  attempt.exit_code = 143;
  attempt.wall_s = 1.5;
  attempt.slurm_id = "12_4";
  attempt.requeued = true;
  EXPECT_EQ(ParseAttempt(ToJson(attempt), "x").value(), attempt);

  const Submission submission = {.number = 1,
                                 .slurm_id = "12",
                                 .first_job = 1000,
                                 .jobs = {1000, 1003},
                                 .created = "now",
                                 .error = ""};
  EXPECT_EQ(ParseSubmission(ToJson(submission), "x").value(), submission);
}

TEST(SweepManifestTest, IgnoresUnknownKeysAndHasDefaultsForMissingOnes) {
  const auto read =
      ParseSweep(R"({"schema_version": 1, "new": [1], "jobs": [{"number": 7}]})", "x");
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read.value().jobs.size(), 1u);
  EXPECT_EQ(read.value().jobs[0].number, 7);
  EXPECT_EQ(read.value().jobs[0].state, State::kPending);
  EXPECT_EQ(read.value().parallel_jobs, 1);
}

TEST(SweepManifestTest, SaysWhatIsWrongWithAFile) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"{", "f: is not JSON"},
      {"[]", "f: is not a file of a sweep"},
      {"{}", "f: is not a file of a sweep"},
      {R"({"schema_version": 2})",
       "f: schema_version 2 was written by a newer ridgeline; this version reads 1"},
      {R"({"schema_version": 1, "jobs": [{"number": "a"}]})",
       "f: 'jobs[0].number' is not an integer"},
      {R"({"schema_version": 1, "jobs": {}})", "f: 'jobs' is not a list"},
      {R"({"schema_version": 1, "parallel_jobs": 1e30})",
       "f: 'parallel_jobs' is not an integer"},
      {R"({"schema_version": 1, "parallel_jobs": 9000000000})",
       "f: 'parallel_jobs' is out of range"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Result<SweepManifest> read = ParseSweep(c.text, "f");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message(), c.want);
  }
}

TEST(SweepManifestTest, ContainsNoSecrets) {
  SweepManifest sweep = TwoJobs("/sweep");
  sweep.arguments.emplace_back("+user.api_key=abcd1234");
  sweep.jobs[0].arguments.emplace_back("+user.api_key=abcd1234");
  sweep.jobs[0].overrides.emplace_back("+user.api_key=abcd1234");
  EXPECT_EQ(ToJson(sweep).find("abcd1234"), std::string::npos) << ToJson(sweep);
}

class SweepStateTest : public testing::Test {
 protected:
  SweepStateTest() : scratch_(os::ScratchDirectory::Make("sweep")) {
    EXPECT_TRUE(scratch_.ok());
    EXPECT_TRUE(WriteSweep(directory(), TwoJobs(directory().root().string())).ok());
  }
  SweepDir directory() const { return SweepDir(scratch_.value().path()); }
  SweepJob First() const {
    const Result<SweepManifest> sweep = ReadSweep(directory().root());
    EXPECT_TRUE(sweep.ok()) << sweep.error().message();
    return sweep.ok() ? sweep.value().jobs[0] : SweepJob();
  }
  static Attempt Here(AttemptId id) {
    Attempt attempt;
    attempt.id = id;
    attempt.host = os::HostName().value();
    attempt.pid = ::getpid();
    attempt.started = "2026-11-18T10:00:00.000+00:00";
    return attempt;
  }
  void WriteRun(State state, const std::string& started) const {
    const RunDir run(directory().root() / "0");
    ASSERT_TRUE(os::CreateDirectories(run.root()).ok());
    Manifest manifest;
    manifest.state = state;
    manifest.started = started;
    manifest.host = os::HostName().value();
    manifest.reason = "of the run";
    ASSERT_TRUE(os::WriteFileAtomically(run.manifest(), ToJson(manifest)).ok());
  }

 private:
  Result<os::ScratchDirectory> scratch_;
};

TEST_F(SweepStateTest, JobsWithoutAttemptsArePending) {
  const SweepJob job = First();
  EXPECT_EQ(job.state, State::kPending);
  EXPECT_EQ(job.attempts, 0);
}

TEST_F(SweepStateTest, AnAttemptBelongsToOneProcess) {
  EXPECT_TRUE(BeginAttempt(directory(), 0, Here({})).value());
  EXPECT_FALSE(BeginAttempt(directory(), 0, Here({})).value());
  EXPECT_TRUE(BeginAttempt(directory(), 0, Here({0, 1})).value());
}

TEST_F(SweepStateTest, TheLastAttemptCounts) {
  Attempt attempt = Here({});
  ASSERT_TRUE(BeginAttempt(directory(), 0, attempt).value());
  EXPECT_EQ(First().state, State::kRunning);
  attempt.state = State::kFailed;
  attempt.outcome = "Timeout";
  attempt.ended = "later";
  attempt.requeued = true;
  ASSERT_TRUE(EndAttempt(directory(), 0, attempt).ok());
  EXPECT_EQ(First().state, State::kPending);
  EXPECT_EQ(First().outcome, "Timeout");
  attempt = Here({0, 1});
  attempt.slurm_id = "12_0";
  ASSERT_TRUE(BeginAttempt(directory(), 0, attempt).value());
  attempt.state = State::kDone;
  attempt.ended = "later";
  ASSERT_TRUE(EndAttempt(directory(), 0, attempt).ok());
  EXPECT_EQ(First().state, State::kDone);
  EXPECT_EQ(First().attempts, 2);
  EXPECT_EQ(First().outcome, "");
  EXPECT_EQ(First().slurm_id, "12_0");
  EXPECT_EQ(First().attempt, (AttemptId{0, 1}));
}

TEST_F(SweepStateTest, WhatAJobSaysComesBeforeWhatSlurmSays) {
  Attempt attempt = Here({});
  ASSERT_TRUE(BeginAttempt(directory(), 0, attempt).value());
  Attempt seen = attempt;
  seen.state = State::kFailed;
  seen.outcome = "NodeFailure";
  seen.ended = "later";
  ASSERT_TRUE(KeepSlurmState(directory(), 0, seen).ok());
  EXPECT_EQ(First().outcome, "NodeFailure");
  seen.outcome = "Cancelled";
  ASSERT_TRUE(KeepSlurmState(directory(), 0, seen).ok());
  EXPECT_EQ(First().outcome, "NodeFailure") << "the first answer stays";
  attempt.state = State::kDone;
  attempt.ended = "later";
  ASSERT_TRUE(EndAttempt(directory(), 0, attempt).ok());
  EXPECT_EQ(First().state, State::kDone);
}

TEST_F(SweepStateTest, AnAttemptWithoutAnEndIsWhatItsRunIs) {
  constexpr const char* kBefore = "2026-11-18T09:00:00.000+00:00";
  constexpr const char* kAfter = "2026-11-18T10:00:01.000+00:00";
  struct Case {
    const char* what;
    bool is_alive;
    std::optional<State> run;
    const char* run_started;
    State want;
  };
  const Case cases[] = {
      {"alive", true, std::nullopt, "", State::kRunning},
      {"alive, run failed just now", true, State::kFailed, kAfter, State::kRunning},
      {"alive, run done just now", true, State::kDone, kAfter, State::kRunning},
      {"killed before the run began", false, std::nullopt, "", State::kInterrupted},
      {"killed, the run had failed", false, State::kFailed, kAfter, State::kFailed},
      {"killed, the run is of an earlier attempt", false, State::kFailed, kBefore,
       State::kInterrupted},
      {"killed, the run is done", false, State::kDone, kAfter, State::kDone},
      {"killed with its run", false, State::kRunning, kAfter, State::kInterrupted},
  };
  int restart = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Attempt attempt = Here({0, restart++});
    if (!c.is_alive) attempt.pid = 0x7ffffff0;
    ASSERT_TRUE(BeginAttempt(directory(), 0, attempt).value());
    if (c.run) WriteRun(*c.run, c.run_started);
    EXPECT_EQ(ToText(First().state), ToText(c.want));
    ASSERT_TRUE(os::RemoveAll(directory().root() / "0").ok());
  }
}

TEST_F(SweepStateTest, ADamagedFileIsNamedAndItsRunSpeaksForTheJob) {
  constexpr const char* kStarted = "2026-11-18T10:00:01.000+00:00";
  struct Case {
    const char* what;
    std::string file;
    const char* text;
    std::optional<State> run;
    State want;
  };
  const Case cases[] = {
      {"garbage", "0.0.0.started.json", "\x7f\xff{", State::kDone, State::kDone},
      {"empty", "0.0.0.started.json", "", State::kFailed, State::kFailed},
      {"cut off, without a run", "0.0.0.started.json", "{\"schema_v", std::nullopt,
       State::kFailed},
      {"of another kind", "0.3.0.ended.json", "{}", State::kDone, State::kDone},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::filesystem::path path = directory().jobs() / c.file;
    ASSERT_TRUE(os::WriteFileAtomically(path, c.text).ok());
    if (c.run) WriteRun(*c.run, kStarted);
    EXPECT_EQ(ToText(First().state), ToText(c.want));
    const Result<SweepManifest> sweep = ReadSweep(directory().root());
    ASSERT_EQ(sweep.value().damaged.size(), 1u);
    EXPECT_THAT(sweep.value().damaged[0],
                testing::StartsWith(path.string() + ": is not"));
    EXPECT_TRUE(First().attempt) << "its number is taken";
    ASSERT_TRUE(os::RemoveAll(directory().root() / "0").ok());
    ASSERT_TRUE(os::RemoveAll(path).ok());
  }
}

// A watcher may conclude too early that a job never started.
TEST(SweepAttemptTest, FilesOfTheJobRefuteThatItNeverStarted) {
  Attempt never;
  never.state = State::kFailed;
  never.outcome = "NeverStarted";
  Attempt started;
  started.state = State::kRunning;
  started.host = "n1";
  Attempt failed = started;
  failed.state = State::kFailed;
  failed.reason = "exit code 2";
  EXPECT_EQ(Joined({.started = {}, .ended = {}, .slurm = never}), never);
  EXPECT_EQ(Joined({.started = started, .ended = {}, .slurm = never}), started);
  EXPECT_EQ(Joined({.started = started, .ended = failed, .slurm = never}), failed);
}

TEST_F(SweepStateTest, RefusesAPipeAsItsPlan) {
  ASSERT_EQ(::unlink(directory().manifest().c_str()), 0);
  ASSERT_EQ(::mkfifo(directory().manifest().c_str(), 0600), 0);
  EXPECT_THAT(ReadSweep(directory().root()).error().message(),
              testing::EndsWith("sweep.json: not a regular file"));
}

TEST_F(SweepStateTest, DoesNotWaitForTheWriterOfAPipe) {
  ASSERT_TRUE(os::CreateDirectories(directory().submissions()).ok());
  const std::filesystem::path attempt = directory().attempt(0, {}, "ended");
  for (const auto& path : {attempt, directory().submission(0)}) {
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  EXPECT_EQ(ReadSweep(directory().root()).value().damaged,
            std::vector{attempt.string() + ": not a regular file"});
  EXPECT_THAT(ReadSubmissions(directory()).value()[0].damage,
              testing::EndsWith(": not a regular file"));
}

TEST_F(SweepStateTest, DamagedSubmissionsKeepTheirNumber) {
  ASSERT_TRUE(os::CreateDirectories(directory().submissions()).ok());
  const Submission good = {.number = 10, .slurm_id = "7", .jobs = {1}};
  const std::pair<int, std::string> files[] = {
      {2, ""}, {3, "{"}, {4, ToJson(good)}, {10, ToJson(good)}};
  for (const auto& [number, text] : files) {
    ASSERT_TRUE(os::WriteFileAtomically(directory().submission(number), text).ok());
  }
  const auto read = ReadSubmissions(directory());
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read.value().size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(read.value()[i].number, files[i].first);
    EXPECT_EQ(read.value()[i].damage.empty(), i == 3);
    EXPECT_EQ(read.value()[i].IsUnconfirmed(), i != 3);
  }
}

TEST_F(SweepStateTest, ADoneJobLacksItsRunIfThatWasDeleted) {
  Attempt attempt = Here({});
  attempt.state = State::kDone;
  ASSERT_TRUE(EndAttempt(directory(), 0, attempt).ok());
  WriteRun(State::kDone, "");
  EXPECT_FALSE(First().lacks_run);
  EXPECT_EQ(First().reason, "");
  ASSERT_TRUE(os::RemoveAll(RunDir(First().directory).manifest()).ok());
  EXPECT_EQ(First().reason,
            "run directory has no manifest.json; remove it to run the job again");
  ASSERT_TRUE(os::RemoveAll(First().directory).ok());
  EXPECT_EQ(First().state, State::kDone);
  EXPECT_TRUE(First().lacks_run);
  EXPECT_EQ(First().reason, "run directory is missing");
}

TEST_F(SweepStateTest, IsNotASweepWithoutItsFile) {
  ASSERT_TRUE(os::CreateDirectories(directory().root() / "other").ok());
  const Result<SweepManifest> read = ReadSweep(directory().root() / "other");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message(), testing::HasSubstr("not a sweep directory"));
}

TEST_F(SweepStateTest, FollowsASweepThatWasMoved) {
  SweepManifest sweep = TwoJobs("/elsewhere");
  ASSERT_TRUE(WriteSweep(directory(), sweep).ok());
  EXPECT_EQ(First().directory, (directory().root() / "0").string());
}

}  // namespace
}  // namespace ridgeline::artifacts
