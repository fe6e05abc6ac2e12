// One clear error each.
#include <sched.h>
#include <sys/mount.h>

#include "launchers/slurm_states.h"
#include "os/testing/eventually.h"
#include "slurm/slurm_sweep.h"

namespace ridgeline::slurm {
namespace {

using artifacts::SweepJob;

class WithoutSlurm : public SlurmSweep {
 protected:
  void SetUp() override {}  // No cluster.
};

TEST_F(WithoutSlurm, NamesTheProgramThatIsMissing) {
  SetPath("/nowhere");
  const run::ProgramEnd end = Ridgeline(Arguments({"/bin/true"}, {"run.repeats=1,2"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("hydra/launcher=slurm: no program 'sbatch' found in PATH"),
            std::string::npos)
      << end.err;
  EXPECT_FALSE(std::filesystem::exists(Path("sweep")));
}

TEST_F(WithoutSlurm, SuggestsTheKeyThatIsMeant) {
  const run::ProgramEnd end = Ridgeline(
      Arguments({"/bin/true"}, {"run.repeats=1,2", "+hydra.launcher.partitoin=gpu"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("hydra.launcher.partitoin"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("'hydra.launcher.partition'"), std::string::npos) << end.err;
}

TEST_F(WithoutSlurm, ADryRunNeedsNoCluster) {
  SetPath("/nowhere");
  std::vector<std::string> arguments = Arguments({"/bin/true"}, {"run.repeats=1,2"});
  arguments.emplace_back("--dry-run");
  const run::ProgramEnd end = Ridgeline(arguments);
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.out.find("submitted to Slurm"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("#SBATCH --signal=B:USR2@120\n"), std::string::npos) << end.out;
  EXPECT_FALSE(std::filesystem::exists(Path("sweep")));
}

TEST_F(WithoutSlurm, StoresNoSecretForTheNodes) {
  const run::ProgramEnd end = Ridgeline(Arguments(
      {"/bin/true"}, {"run.repeats=1,2", "+pipeline.workload.env.HF_TOKEN=hf_abcdefgh"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("contain a secret"), std::string::npos) << end.err;
  EXPECT_EQ(end.err.find("hf_abcdefgh"), std::string::npos) << end.err;
}

using SlurmMistakes = SlurmSweep;

TEST_F(SlurmMistakes, SbatchIsQuotedWithTheKey) {
  const run::ProgramEnd end = Ridgeline(
      Arguments({"/bin/true"}, {"run.repeats=1,2", "hydra.launcher.partition=nope"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("sbatch: invalid partition specified: nope"), std::string::npos)
      << end.err;
  EXPECT_NE(end.err.find("hydra.launcher.partition"), std::string::npos) << end.err;
  // Not one of them was submitted, and all can be.
  EXPECT_NE(Ridgeline({"sweep", "status", "sweep"}).out.find("2 pending"),
            std::string::npos);
}

TEST_F(SlurmMistakes, ADirectoryThatIsNotSharedIsFound) {
  const std::string sweep = (cluster_.private_directory() / "sweep").string();
  const run::ProgramEnd end = Ridgeline(Arguments(
      {"/bin/true"},
      {"run.repeats=1,2", "hydra.launcher.partition=apart", "hydra.sweep.dir=" + sweep}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_NE(end.out.find("NeverStarted: the sweep directory cannot be read or written on "
                         "n3"),
            std::string::npos)
      << end.out;
}

TEST_F(SlurmMistakes, AnEditedJobScriptIsNotSubmitted) {
  MakeScript("work", "exit 3\n");
  EXPECT_EQ(Ridgeline(Arguments({"./work"}, {"run.repeats=1,2"})).exit_code, 1);
  const std::filesystem::path script = Path("sweep/.submitit/job.sh");
  WriteFile(script, ReadFile(script) + "# mine\n");
  const run::ProgramEnd end = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("job.sh: was edited since it was written"), std::string::npos)
      << end.err;
}

// The cluster of the tests has no accounting; sacct checks its options before, but not
// the fields of --format.
TEST_F(SlurmMistakes, AreNotInTheOptionsOfSacct) {
  std::string command = "sacct";
  for (const std::string& word : launchers::AccountingArguments({"1"})) {
    command += " '" + word + "'";
  }
  EXPECT_EQ(cluster_.Ask(command + " 2>&1"), "Slurm accounting storage is disabled\n");
}

class SlurmFullDisk : public SlurmSweep {
 protected:
  void SetUp() override {
    if (!WhyNoSlurm().empty()) GTEST_SKIP() << WhyNoSlurm();
    std::filesystem::create_directory(Path("small"));
    ASSERT_EQ(::unshare(CLONE_NEWNS), 0);
    ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
    ASSERT_EQ(::mount("tmpfs", Path("small").c_str(), "tmpfs", 0, "nr_inodes=4"), 0);
    SlurmSweep::SetUp();
  }
  void TearDown() override { ::umount2(Path("small").c_str(), MNT_DETACH); }
};

TEST_F(SlurmFullDisk, IsReportedBeforeAnyJobIsSubmitted) {
  const run::ProgramEnd end = Ridgeline(
      Arguments({"/bin/true"}, {"run.repeats=1,2", "hydra.sweep.dir=small/sweep"}));
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_NE(end.err.find("No space left on device"), std::string::npos) << end.err;
  EXPECT_EQ(cluster_.Ask("squeue -h -t all"), "");
}

}  // namespace
}  // namespace ridgeline::slurm
