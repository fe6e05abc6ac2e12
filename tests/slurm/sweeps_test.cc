// Sweeps in which the cluster works.
#include <csignal>
#include <cstdlib>

#include "os/testing/eventually.h"
#include "slurm/slurm_sweep.h"

namespace ridgeline::slurm {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using artifacts::SweepJob;

TEST_F(SlurmSweep, RunsEveryJobOnceAndKnowsWhichFailed) {
  MakeScript("work", "echo $N >> starts; case $N in 5|12|23) exit 3;; esac\n");
  const run::ProgramEnd end =
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=range(24)"}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_NE(end.out.find("\n21 done, 3 failed\n"), std::string::npos) << end.out;
  const auto starts = Starts();
  EXPECT_EQ(starts.size(), 24u);
  for (const auto& [job, count] : starts) EXPECT_EQ(count, 1) << "job " << job;
  for (const SweepJob& job : Read().jobs) {
    SCOPED_TRACE(job.number);
    const bool fails = job.number == 5 || job.number == 12 || job.number == 23;
    EXPECT_EQ(Text(job.state), fails ? "failed" : "done");
    EXPECT_EQ(job.attempts, 1);
    EXPECT_EQ(job.exit_code, fails ? 1 : 0);
    EXPECT_TRUE(job.host == "n1" || job.host == "n2") << job.host;
    EXPECT_EQ(Text(ManifestOf(job.directory).state), Text(job.state));
  }
  ExpectEmptyQueue();
}

TEST_F(SlurmSweep, ADetachedSweepGoesOnAndCanBeAttached) {
  MakeScript("work", "echo $N >> starts; while [ ! -e go ]; do sleep 0.05; done\n");
  const pid_t program =
      Start(Arguments({"./work"}, {"+pipeline.workload.env.N=range(3)"}));
  EXPECT_TRUE(os::Eventually([this] { return Starts().size() == 3; }));
  ::kill(program, SIGINT);
  const run::ProgramEnd detached = Wait(program);
  EXPECT_EQ(detached.exit_code, 130) << detached.err;
  EXPECT_NE(detached.err.find("ridgeline sweep attach"), std::string::npos)
      << detached.err;

  const run::ProgramEnd status = Ridgeline({"sweep", "status", "sweep"});
  EXPECT_EQ(status.exit_code, 0) << status.err;
  EXPECT_NE(status.out.find("3 running"), std::string::npos) << status.out;
  // What runs is not submitted again.
  const pid_t resumed = Start({"sweep", "resume", "sweep"});
  const pid_t attached = Start({"sweep", "attach", "sweep"});
  WriteFile(directory() / "go", "");
  for (const pid_t watcher : {resumed, attached}) {
    const run::ProgramEnd end = Wait(watcher);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_NE(end.out.find("\n3 done\n"), std::string::npos) << end.out;
  }
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 1}, {"1", 1}, {"2", 1}}));
}

TEST_F(SlurmSweep, ACancelEndsAllJobsAndAResumeRunsThemAgain) {
  MakeScript("work", "echo $N >> starts; [ -e go ] || sleep 1000\n");
  // Two at once: others never start.
  const pid_t program = Start(
      Arguments({"./work"}, {"+pipeline.workload.env.N=range(4)",
                             "hydra.launcher.array_parallelism=2", "run.grace_s=1"}));
  EXPECT_TRUE(os::Eventually([this] { return Starts().size() == 2; }));
  const run::ProgramEnd cancelled = Ridgeline({"sweep", "cancel", "sweep"});
  EXPECT_EQ(cancelled.exit_code, 0) << cancelled.err;
  EXPECT_NE(cancelled.err.find("cancelled 4 jobs; 0 had already ended; none left in"),
            std::string::npos)
      << cancelled.err;
  EXPECT_EQ(Wait(program).exit_code, 1);
  for (const SweepJob& job : Read().jobs) {
    SCOPED_TRACE(job.number);
    EXPECT_EQ(Text(job.state), "interrupted");
    EXPECT_EQ(job.outcome, "Cancelled");
    EXPECT_EQ(job.attempts, job.number < 2 ? 1 : 0);
    if (job.number >= 2) continue;
    EXPECT_EQ(ManifestOf(job.directory).state, State::kInterrupted);
  }
  ExpectEmptyQueue();
  EXPECT_NE(Ridgeline({"sweep", "cancel", "sweep"}).err.find("nothing to cancel"),
            std::string::npos);

  WriteFile(directory() / "go", "");
  const run::ProgramEnd resumed = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("\n4 done\n"), std::string::npos) << resumed.out;
  EXPECT_EQ(Starts(),
            (std::map<std::string, int>{{"0", 2}, {"1", 2}, {"2", 1}, {"3", 1}}));
  EXPECT_EQ(ManifestOf(Path("sweep/0")).attempts, 2) << "resumed, not begun again";
  EXPECT_NE(Ridgeline({"sweep", "resume", "sweep"}).err.find("nothing to resume"),
            std::string::npos);
}

class SmallArrays : public SlurmSweep {
 protected:
  SmallArrays() { settings_.max_array_size = 3; }
};

TEST_F(SmallArrays, SplitASweepThatIsTooLargeForOne) {
  MakeScript("work", "echo $N >> starts\n");
  const run::ProgramEnd end =
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=range(7)"}));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Starts().size(), 7u);
  for (const auto& [job, count] : Starts()) EXPECT_EQ(count, 1) << job;
  EXPECT_TRUE(fs::exists(Path("sweep/submissions/2.json")));
}

TEST_F(SlurmSweep, TheJobsOfSubmititConfigurationsSeeTheirSetup) {
  MakeScript("work", "echo $FROM_SETUP-$SLURM_JOB_NAME > said; echo $0 >> starts\n");
  std::vector<std::string> arguments = Arguments(
      {"./work"},
      {"run.repeats=1,2", "hydra/launcher=submitit_slurm", "hydra.launcher.name=mine",
       "hydra.launcher.setup=['export FROM_SETUP=here']", "hydra.launcher.python=python3",
       "hydra.launcher.srun_args=['--overlap']",
       "+hydra.launcher.additional_parameters.nice=5"});
  const run::ProgramEnd end = Ridgeline(arguments);
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.err.find("hydra.launcher.python is ignored"), std::string::npos);
  EXPECT_EQ(ReadFile(Path("said")), "here-mine\n");
}

// 500 jobs, one of 100 fails: minutes on a busy machine, so only if it is asked for.
TEST_F(SlurmSweep, LosesNoneOfManyJobs) {
  const char* jobs = std::getenv("RIDGELINE_SLURM_JOBS");
  if (jobs == nullptr) GTEST_SKIP() << "takes minutes: run by make scale-slurm";
  const int count = std::atoi(jobs);
  MakeScript("work", "echo $N >> starts; case $N in *77) exit 3;; esac\n");
  const run::ProgramEnd end = Ridgeline(Arguments(
      {"./work"}, {"+pipeline.workload.env.N=range(" + std::to_string(count) + ")"}));
  const auto starts = Starts();
  EXPECT_EQ(starts.size(), static_cast<size_t>(count));
  for (const auto& [job, times] : starts) EXPECT_EQ(times, 1) << "job " << job;
  int failed = 0;
  for (const SweepJob& job : Read().jobs) {
    EXPECT_EQ(Text(ManifestOf(job.directory).state), Text(job.state)) << job.number;
    failed += job.state == State::kFailed ? 1 : 0;
    EXPECT_TRUE(job.state == State::kDone || job.number % 100 == 77) << job.number;
  }
  EXPECT_EQ(failed, (count + 22) / 100);
  EXPECT_EQ(end.exit_code, failed > 0 ? 1 : 0) << end.err;
}

}  // namespace
}  // namespace ridgeline::slurm
