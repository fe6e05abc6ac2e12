#include <csignal>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class Sweep : public Playground {
 protected:
  std::vector<std::string> Arguments(const std::vector<std::string>& command,
                                     const std::vector<std::string>& more) {
    std::vector<std::string> arguments = Direct(command);
    arguments.insert(arguments.begin() + 1, "--multirun");
    arguments.push_back("hydra.sweep.dir=sweep");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static size_t Count(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + 1)) {
      ++count;
    }
    return count;
  }
};

TEST_F(Sweep, OnAPoolGoesOnAfterFailuresAndTellsWhichTheyWere) {
  MakeScript("work", "case $N in 5|12|23) exit 3;; esac\n");
  const ProgramEnd end =
      Ridgeline(Arguments({"./work"}, {"hydra/launcher=local", "hydra.launcher.n_jobs=3",
                                       "+pipeline.workload.env.N=range(24)"}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_NE(end.out.find("\n21 done, 3 failed\n"), std::string::npos) << end.out;
  int done = 0;
  for (int job = 0; job < 24; ++job) {
    const artifacts::Manifest manifest =
        ManifestOf(directory() / "sweep" / std::to_string(job));
    const bool fails = job == 5 || job == 12 || job == 23;
    EXPECT_EQ(manifest.state, fails ? State::kFailed : State::kDone) << job;
    done += manifest.state == State::kDone ? 1 : 0;
    const std::string line = std::to_string(job) + "  " + (fails ? "failed" : "done");
    EXPECT_NE(end.out.find(line), std::string::npos) << line << "\n" << end.out;
  }
  EXPECT_EQ(done, 21);
  EXPECT_TRUE(fs::exists(directory() / "sweep/multirun.yaml"));
  EXPECT_TRUE(Descendants().empty());
}

TEST_F(Sweep, RunsOneJobAfterTheOtherByDefault) {
  MakeScript("work", "mkdir lock || exit 9; sleep 0.05; rmdir lock; echo $N >> order\n");
  const ProgramEnd end =
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=a,b,c"}));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ReadFile(directory() / "order"), "a\nb\nc\n");
  EXPECT_NE(end.out.find("\n3 done\n"), std::string::npos) << end.out;
}

TEST_F(Sweep, IsShownAndResumedAfterFilesWereDamagedOrDeleted) {
  MakeScript("work", "echo $N >> starts; [ $N != c ] || [ -e go ]\n");
  EXPECT_EQ(
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=a,b,c"})).exit_code, 1);
  WriteFile(directory() / "sweep/jobs/0.0.0.ended.json", "{");
  WriteFile(directory() / "sweep/jobs/2.0.0.started.json", "");
  WriteFile(directory() / "sweep/jobs/2.0.0.ended.json", "");
  fs::remove_all(directory() / "sweep/1");
  const ProgramEnd status = Ridgeline({"sweep", "status", "sweep"});
  EXPECT_EQ(status.exit_code, 0) << status.err;
  EXPECT_NE(status.err.find("sweep/jobs/0.0.0.ended.json: is not JSON; the file is "
                            "ignored\n"),
            std::string::npos)
      << status.err;
  EXPECT_NE(status.out.find("N=b  run directory is missing\n"), std::string::npos)
      << status.out;
  EXPECT_NE(status.out.find("\n2 done, 1 failed\n"), std::string::npos) << status.out;
  const ProgramEnd cancel = Ridgeline({"sweep", "cancel", "sweep"});
  EXPECT_EQ(cancel.exit_code, 0);
  EXPECT_NE(cancel.err.find("nothing to cancel"), std::string::npos) << cancel.err;
  WriteFile(directory() / "go", "");
  const ProgramEnd end = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(end.exit_code, 0) << end.err << end.out;
  EXPECT_EQ(ReadFile(directory() / "starts"), "a\nb\nc\nb\nc\n");
}

TEST_F(Sweep, ResumesJobsThatWroteTheirArgumentsAndSaysWhyItCannotResumeOthers) {
  MakeScript("work", "echo $N >> out.txt; [ -e go ]\n");
  const auto arguments =
      Arguments({"./work", "out.txt"}, {"+pipeline.workload.env.N=a,b"});
  EXPECT_EQ(Ridgeline(arguments).exit_code, 1);
  WriteFile(directory() / "go", "");
  const std::string before = ReadFile(directory() / "work");
  MakeScript("work", "exit 0\n");
  const ProgramEnd refused = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(Count(refused.out, "cannot resume " + (directory() / "sweep/0").string() +
                                   ": the inputs changed: " +
                                   (directory() / "work").string() + ": changed ("),
            1u)
      << refused.out;
  EXPECT_EQ(Count(refused.out, "out.txt: "), 0u) << refused.out;
  WriteFile(directory() / "work", before);
  const ProgramEnd end = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(end.exit_code, 0) << end.err << end.out;
}

TEST_F(Sweep, WithoutJobsIsAnError) {
  const ProgramEnd end = Ridgeline(Arguments({"true"}, {"run.repeats=range(3,3)"}));
  EXPECT_EQ(end.exit_code, 2) << end.err;
  EXPECT_NE(end.err.find("the sweep has no jobs"), std::string::npos) << end.err;
  EXPECT_FALSE(fs::exists(directory() / "sweep"));
}

TEST_F(Sweep, JobsKnowTheirNumberAndDirectory) {
  const ProgramEnd end = Ridgeline(Arguments(
      {"true"}, {"run.repeats=1,2", "hydra.sweep.subdir=${hydra.job.num}_${run.repeats}",
                 "+user.number=${hydra:job.num}", "+user.mode=${hydra:mode}"}));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(directory() / "sweep/0_1/manifest.json")) << end.out;
  EXPECT_TRUE(fs::exists(directory() / "sweep/1_2/manifest.json")) << end.out;
}

TEST_F(Sweep, OverwritesNoFileOfTheUserAndTakesNoRecordsOfAnotherSweep) {
  for (const char* const name :
       {"sweep.json", "sweep.md", "sweep.html", "sweep.csv", "sweep_report.json",
        "jobs/0.0.0.ended.json", "submissions/0.json", ".submitit/job.sh"}) {
    SCOPED_TRACE(name);
    const fs::path file = directory() / "sweep" / name;
    fs::create_directories(file.parent_path());
    WriteFile(file, "of the user");
    const ProgramEnd end = Ridgeline(Arguments({"true"}, {"run.repeats=1,2"}));
    EXPECT_EQ(end.exit_code, 2) << end.err;
    EXPECT_EQ(ReadFile(file), "of the user");
    EXPECT_FALSE(fs::exists(directory() / "sweep/multirun.yaml"));
    fs::remove_all(directory() / "sweep");
  }
}

TEST_F(Sweep, OverwritesNoLogOfTheUser) {
  const fs::path log = directory() / "sweep/logs/job_1.log";
  fs::create_directories(log.parent_path());
  WriteFile(log, "of the user");
  const ProgramEnd end = Ridgeline(Arguments({"true"}, {"run.repeats=1,2"}));
  EXPECT_EQ(end.exit_code, 2) << end.err;
  EXPECT_NE(end.err.find("job_1.log: exists, and would be overwritten"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(ReadFile(log), "of the user");
}

TEST_F(Sweep, ASecondOneGetsADirectoryOfItsOwn) {
  for (const char* want : {"/sweep\n", "/sweep-2\n"}) {
    const ProgramEnd end = Ridgeline(Arguments({"true"}, {"run.repeats=1,2"}));
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_TRUE(end.out.ends_with(want)) << end.out;
    const std::string note = "sweep has an earlier sweep; this one is in ";
    EXPECT_EQ(Count(end.err, note), std::string_view(want) == "/sweep\n" ? 0U : 1U)
        << end.err;
  }
  EXPECT_TRUE(fs::exists(directory() / "sweep-2/1/manifest.json"));
}

TEST_F(Sweep, ALauncherWithoutASweepIsNoted) {
  struct Case {
    std::vector<std::string> overrides;
    size_t notes;
  };
  const Case cases[] = {{{}, 0},
                        {{"hydra/launcher=basic"}, 0},
                        {{"hydra/launcher=local"}, 1},
                        {{"hydra/launcher=local", "hydra.launcher.n_jobs=2"}, 1}};
  for (const Case& c : cases) {
    std::vector<std::string> single = Direct({"true"});
    single.insert(single.end(), c.overrides.begin(), c.overrides.end());
    const ProgramEnd run = Ridgeline(single);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Count(run.err, "has no effect on a single run"), c.notes) << run.err;
    const ProgramEnd sweep = Ridgeline(Arguments({"true"}, c.overrides));
    EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
    EXPECT_EQ(Count(sweep.err, "has no effect on a single run"), 0U) << sweep.err;
  }
}

TEST_F(Sweep, ChecksEveryJobBeforeTheFirstOneStarts) {
  const ProgramEnd end =
      Ridgeline(Arguments({"true"}, {"infer.max_new_tokens=8,inf,16"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("job 1 ("), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("infer.max_new_tokens: expected an integer"), std::string::npos)
      << end.err;
  EXPECT_FALSE(fs::exists(directory() / "sweep"));
}

TEST_F(Sweep, ADryRunShowsTheJobsAndWritesNothing) {
  std::vector<std::string> arguments = Arguments({"true"}, {"run.repeats=1,2"});
  arguments.push_back("--dry-run");
  const ProgramEnd end = Ridgeline(arguments);
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Count(end.out, "ridgeline run --sweep-job"), 2u) << end.out;
  EXPECT_TRUE(fs::is_empty(directory()));
}

TEST_F(Sweep, AnInterruptEndsTheRunningJobsAndStartsNoMore) {
  const pid_t program =
      Start(Arguments({"sh", "-c", "echo > ready$N; sleep 1000"},
                      {"hydra/launcher=local", "hydra.launcher.n_jobs=2",
                       "+pipeline.workload.env.N=range(4)", "run.grace_s=1"}));
  WaitForFile(directory() / "ready0");
  WaitForFile(directory() / "ready1");
  ::kill(program, SIGINT);
  const ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 130);
  EXPECT_NE(end.out.find("2 interrupted, 2 pending"), std::string::npos) << end.out;
  EXPECT_EQ(ManifestOf(directory() / "sweep/0").state, State::kInterrupted);
  EXPECT_TRUE(Descendants().empty());
}

TEST_F(Sweep, AKillLeavesNothingBehind) {
  const pid_t program =
      Start(Arguments({"sh", "-c", "echo > ready$N; setsid sleep 1000 & sleep 1000"},
                      {"hydra/launcher=local", "hydra.launcher.n_jobs=2",
                       "+pipeline.workload.env.N=range(4)"}));
  WaitForFile(directory() / "ready0");
  WaitForFile(directory() / "ready1");
  ::kill(program, SIGKILL);
  Wait(program);
  WaitForNoDescendants();
  EXPECT_EQ(ManifestOf(directory() / "sweep/0").state, State::kInterrupted);
}

TEST_F(Sweep, RefusesALauncherThatIsNotHere) {
  const ProgramEnd end = Ridgeline(Arguments(
      {"true"}, {"run.repeats=1,2", "++hydra.launcher._target_=some.Launcher"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("unsupported launcher 'some.Launcher'"), std::string::npos)
      << end.err;
}

}  // namespace
}  // namespace ridgeline::run
