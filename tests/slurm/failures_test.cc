// Sweeps in which time limits, nodes or the controller fail.
#include <csignal>
#include <cstdlib>

#include "os/testing/eventually.h"
#include "slurm/slurm_sweep.h"

namespace ridgeline::slurm {
namespace {

using artifacts::State;
using artifacts::SweepJob;

class SlurmFailures : public SlurmSweep {
 protected:
  // The process of ridgeline on a node that runs job `number`; 0: none.
  pid_t ProcessOf(int number, const std::string& sweep = "sweep") {
    const std::string wanted = std::string("run-job") + '\0' +
                               (directory() / sweep).string() + '\0' + "0" + '\0' +
                               std::to_string(number) + '\0';
    for (const pid_t pid : Descendants()) {
      const std::string words = ReadFile("/proc/" + std::to_string(pid) + "/cmdline");
      if (words.ends_with(wanted)) return pid;
    }
    return 0;
  }
  // "1234 (slurmstepd) S 1 ..."
  pid_t ParentOf(pid_t pid) {
    const std::string stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
    return std::stoi(stat.substr(stat.rfind(')') + 4));
  }
  void KillJob(int number) {
    const pid_t pid = ProcessOf(number);
    ASSERT_GT(pid, 1);
    ::kill(pid, SIGKILL);
  }
  // As if the power of its node was cut: the step and the job are gone without a word.
  void CutOff(const std::string& sweep) {
    const pid_t pid = ProcessOf(0, sweep);
    ASSERT_GT(pid, 1);
    const pid_t step = ParentOf(pid);
    ASSERT_NE(ReadFile("/proc/" + std::to_string(step) + "/comm").find("slurmstepd"),
              std::string::npos);
    ::kill(step, SIGKILL);
    ::kill(pid, SIGKILL);
  }
  // A sweep with one job; jobs go to node n1 as long as it has room.
  pid_t StartOne(const std::string& sweep, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments =
        Arguments({"./work"}, {"+pipeline.workload.env.N=" + sweep, "run.grace_s=1",
                               "hydra.sweep.dir=" + sweep});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Start(arguments);
  }
  // What the controller does before the time limit.
  void AnnounceTimeLimit(const std::string& task) {
    cluster_.Ask("scancel --batch --signal=USR2 1_" + task);
  }
};

TEST_F(SlurmFailures, AJobThatTimesOutIsRequeuedAndResumed) {
  // Two stages: the first is done before the time limit and is not run again.
  MakeScript("work",
             "echo $N >> starts; n=$(grep -c \"^$N$\" starts)\n"
             "[ $N = 0 ] && [ $n = 2 ] && exit 0\n"
             "echo > ready$N.$n; exec sleep 1000\n");
  const pid_t program =
      Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1",
                                   "hydra.launcher.max_num_timeout=1", "run.grace_s=1"}));
  for (const char* task : {"0", "1"}) {
    WaitForFile(Path(std::string("ready") + task + ".1"));
    AnnounceTimeLimit(task);
  }
  WaitForFile(Path("ready1.2"));
  AnnounceTimeLimit("1");
  const run::ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 1) << end.err;
  const artifacts::SweepManifest sweep = Read();
  EXPECT_EQ(Text(sweep.jobs[0].state), "done") << end.err;
  EXPECT_EQ(sweep.jobs[0].attempts, 2);
  EXPECT_EQ(Text(sweep.jobs[1].state), "failed") << end.err;
  EXPECT_EQ(sweep.jobs[1].outcome, "Timeout");
  EXPECT_EQ(sweep.jobs[1].attempts, 2);
  EXPECT_EQ(ManifestOf(sweep.jobs[0].directory).attempts, 2);
  EXPECT_EQ(ManifestOf(sweep.jobs[0].directory).state, State::kDone);
  EXPECT_EQ(ManifestOf(sweep.jobs[1].directory).state, State::kInterrupted);
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 2}, {"1", 2}}));
  ExpectEmptyQueue();
}

// As long as a minute, because that is the shortest time limit of Slurm.
TEST_F(SlurmFailures, SlurmAnnouncesTheTimeLimit) {
  if (std::getenv("RIDGELINE_SLURM_JOBS") == nullptr) {
    GTEST_SKIP() << "takes a minute: run by make scale-slurm";
  }
  MakeScript("work", "exec sleep 1000\n");
  const run::ProgramEnd end = Ridgeline(Arguments(
      {"./work"}, {"run.repeats=1,2", "hydra.launcher.timeout_min=1", "run.grace_s=1"}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  for (const SweepJob& job : Read().jobs) {
    EXPECT_EQ(job.outcome, "Timeout");
    EXPECT_EQ(ManifestOf(job.directory).state, State::kInterrupted);
  }
}

class LostNode : public SlurmFailures {
 protected:
  LostNode() { settings_.slurmd_timeout_s = 4; }
};

TEST_F(LostNode, JobsAreRunElsewhereOrHaveFailed) {
  MakeScript("work", "echo $N >> starts; while [ ! -e go ]; do sleep 0.05; done\n");
  const pid_t lost = StartOne("lost");
  const pid_t outlives = StartOne("outlives");  // Only Slurm has lost it.
  const pid_t failed =
      StartOne("failed", {"+hydra.launcher.additional_parameters.no-requeue=true"});
  ASSERT_TRUE(os::Eventually([this] { return Starts().size() == 3; }));
  for (const char* sweep : {"lost", "outlives", "failed"}) {
    ASSERT_EQ(Read(sweep).jobs[0].host, "n1") << sweep;
  }
  cluster_.Kill("n1");
  CutOff("lost");
  CutOff("failed");
  ASSERT_TRUE(os::Eventually([this] {
    return cluster_.Ask("sinfo -h -N -n n1 -o %t").find("down") != std::string::npos;
  }));
  WriteFile(directory() / "go", "");
  const run::ProgramEnd end = Wait(lost);
  EXPECT_EQ(end.exit_code, 0) << end.err << end.out;
  EXPECT_EQ(Wait(outlives).exit_code, 0);
  EXPECT_EQ(Wait(failed).exit_code, 1);
  EXPECT_EQ(Starts(),
            (std::map<std::string, int>{{"lost", 2}, {"outlives", 1}, {"failed", 1}}));

  const SweepJob elsewhere = Read("lost").jobs[0];
  EXPECT_EQ(Text(elsewhere.state), "done");
  EXPECT_EQ(elsewhere.host, "n2");
  EXPECT_EQ(elsewhere.attempts, 2);
  EXPECT_EQ(ManifestOf(elsewhere.directory).state, State::kDone);
  EXPECT_EQ(Text(Read("outlives").jobs[0].state), "done");
  EXPECT_EQ(Read("outlives").jobs[0].attempts, 1);
  EXPECT_EQ(Text(Read("failed").jobs[0].state), "failed");
  EXPECT_EQ(Read("failed").jobs[0].outcome, "NodeFailure");
  EXPECT_EQ(ManifestOf(Path("failed/0")).state, State::kInterrupted);
}

TEST_F(SlurmFailures, AControllerThatRestartsEndsNoJob) {
  MakeScript("work", "echo $N >> starts; while [ ! -e go ]; do sleep 0.05; done\n");
  const pid_t program =
      Start(Arguments({"./work"}, {"+pipeline.workload.env.N=range(6)",
                                   "hydra.launcher.array_parallelism=3"}));
  EXPECT_TRUE(os::Eventually([this] { return Starts().size() == 3; }));
  cluster_.Kill("slurmctld");
  const run::ProgramEnd refused = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("controller does not answer"), std::string::npos)
      << refused.err;
  cluster_.StartAgain("slurmctld");
  WriteFile(directory() / "go", "");
  const run::ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 0) << end.err << end.out;
  EXPECT_EQ(Starts().size(), 6u);
  for (const auto& [job, count] : Starts()) EXPECT_EQ(count, 1) << job;
  for (const SweepJob& job : Read().jobs) EXPECT_EQ(Text(job.state), "done");
}

TEST_F(SlurmFailures, AKilledJobIsNotDone) {
  MakeScript("work", "echo $N >> starts; sleep 1000\n");
  const pid_t program = Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1"}));
  EXPECT_TRUE(os::Eventually([this] { return Starts().size() == 2; }));
  KillJob(0);
  KillJob(1);
  const run::ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 1) << end.err;
  for (const SweepJob& job : Read().jobs) {
    EXPECT_EQ(Text(job.state), "failed");
    EXPECT_EQ(job.outcome, "Killed");
  }
}

TEST_F(SlurmFailures, ASubmissionWhoseCommandWasKilledIsFoundAgain) {
  MakeScript("work", "echo $N >> starts\n");
  const run::ProgramEnd end =
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1"}));
  EXPECT_EQ(end.exit_code, 0) << end.err;
  // As if it had been killed between sbatch and its record.
  const std::filesystem::path record = Path("sweep/submissions/0.json");
  std::string text = ReadFile(record);
  const size_t at = text.find("\"slurm_id\": \"");
  text.replace(at, text.find(',', at) - at, "\"slurm_id\": \"\"");
  WriteFile(record, text);
  for (const auto& entry : std::filesystem::directory_iterator(Path("sweep/jobs"))) {
    std::filesystem::remove(entry.path());
  }
  const run::ProgramEnd status = Ridgeline({"sweep", "status", "sweep", "--json"});
  EXPECT_EQ(status.out.find("\"not submitted"), std::string::npos) << status.out;
  EXPECT_NE(ReadFile(record).find("\"slurm_id\": \"1\""), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::slurm
