// Jobs that Slurm ends for others, or for lack of memory.
#include "os/testing/eventually.h"
#include "slurm/slurm_sweep.h"

namespace ridgeline::slurm {
namespace {

using artifacts::State;
using artifacts::SweepJob;

class Preemption : public SlurmSweep {
 protected:
  // A sweep of two jobs, which another job preempts.
  run::ProgramEnd PreemptedSweep() {
    MakeScript("work", "echo $N >> starts; [ -e go ] || exec sleep 1000\n");
    const pid_t program =
        Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1", "run.grace_s=1"}));
    EXPECT_TRUE(os::Eventually([this] { return Starts().size() == 2; }));
    WriteFile(directory() / "go", "");
    cluster_.Ask(
        "sbatch --partition=urgent --exclusive --nodes=2 --output=/dev/null "
        "--wrap=true");
    return Wait(program);
  }
};

TEST_F(Preemption, EndsAJobThatIsNotRequeued) {
  const run::ProgramEnd end = PreemptedSweep();
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_NE(end.out.find("Preempted: preempted by another job\n"), std::string::npos)
      << end.out;
  for (const SweepJob& job : Read().jobs) {
    EXPECT_EQ(Text(job.state), "interrupted");
    EXPECT_EQ(job.outcome, "Preempted");
    EXPECT_EQ(ManifestOf(job.directory).state, State::kInterrupted);
  }
  EXPECT_EQ(Ridgeline({"sweep", "resume", "sweep"}).exit_code, 0);
}

class RequeuingPreemption : public Preemption {
 protected:
  RequeuingPreemption() { settings_.preempt_mode = "REQUEUE"; }
};

TEST_F(RequeuingPreemption, IsFollowedByAnotherAttempt) {
  const run::ProgramEnd end = PreemptedSweep();
  EXPECT_EQ(end.exit_code, 0) << end.err << end.out;
  for (const SweepJob& job : Read().jobs) {
    EXPECT_EQ(Text(job.state), "done");
    EXPECT_EQ(job.attempts, 2);
    EXPECT_EQ(ManifestOf(job.directory).attempts, 2) << "resumed, not begun again";
  }
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 2}, {"1", 2}}));
}

class LimitedMemory : public SlurmSweep {
 protected:
  LimitedMemory() { settings_.limits_memory = true; }
  void SetUp() override {
    if (!std::filesystem::exists("/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
      GTEST_SKIP() << "OutOfMemory is not tested: no memory cgroups of version 1";
    }
    SlurmSweep::SetUp();
  }
};

TEST_F(LimitedMemory, IsTheOutcomeOfJobsThatNeedMore) {
  // tail keeps the only line in memory.
  MakeScript("work", "head -c ${N}M /dev/zero | tail -n 1 >/dev/null\n");
  const run::ProgramEnd end = Ridgeline(Arguments(
      {"./work"}, {"+pipeline.workload.env.N=1,400", "hydra.launcher.mem_gb=0.15"}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_NE(end.out.find("OutOfMemory: out of memory (hydra.launcher.mem_gb)\n"),
            std::string::npos)
      << end.out;
  EXPECT_EQ(Text(Read().jobs[0].state), "done");
  EXPECT_EQ(Read().jobs[1].outcome, "OutOfMemory");
}

}  // namespace
}  // namespace ridgeline::slurm
