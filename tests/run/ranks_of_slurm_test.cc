// Ranks that srun starts on the two nodes of a real Slurm: torch.distributed, Open MPI
// and nsys in them, and ranks that fail, are killed or hang.
#include <gmock/gmock.h>

#include "run/ranks.h"
#include "slurm/cluster.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class RanksOfSlurm : public Ranks {
 protected:
  void SetUp() override {
    const std::string missing = slurm::WhyNoSlurm();
    if (!missing.empty()) GTEST_SKIP() << missing;
    ASSERT_EQ(cluster_.Start({}), "");
    AddVariable("SLURM_CONF=" + cluster_.configuration().string());
  }
  // Four ranks, two on each node.
  static std::vector<std::string> Srun(const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = {"pipeline.workload.ranks.launcher=srun",
                                          "pipeline.workload.ranks.nodes=2"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
  }

  slurm::Cluster cluster_;
};

TEST_F(RanksOfSlurm, AreToldByItsVariablesAndEndWithTheFirstFailure) {
  const std::vector<std::string> srun =
      Srun({"pipeline.workload.ranks.args=['--mpi=pmi2']"});
  // PMI talks to Slurm through a descriptor that each rank inherits.
  const ProgramEnd good = RunScript(
      "echo $SLURM_PROCID of $SLURM_NTASKS on $SLURM_NNODES; "
      "readlink /proc/self/fd/$PMI_FD",
      srun);
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(Log(3), StartsWith("3 of 4 on 2\nsocket:"));
  EXPECT_FALSE(Stage().ranks[1].host.empty());
  fs::remove_all(directory() / "run");
  const ProgramEnd bad = RunScript(
      "if [ $SLURM_PROCID = 1 ]; then echo no memory; exit 5; fi; exec sleep 600", srun);
  EXPECT_EQ(bad.exit_code, 5) << bad.err;
  EXPECT_THAT(bad.err, HasSubstr("RankFailed: rank 1 on "));
  EXPECT_THAT(bad.err, HasSubstr("; then stopped: ranks 0, 2, 3; last line of output: "
                                 "no memory"));
  EXPECT_THAT(StatesOf(Stage()), ElementsAre(RankState::kStopped, RankState::kFailed,
                                             RankState::kStopped, RankState::kStopped));
}

TEST_F(RanksOfSlurm, ThatAreKilledAreNamed) {
  const ProgramEnd end =
      RunScript("if [ $SLURM_PROCID = 2 ]; then kill -9 $$; fi; exec sleep 600", Srun());
  EXPECT_EQ(end.exit_code, 137) << end.err;
  EXPECT_THAT(end.err, HasSubstr("RankFailed: rank 2 on "));
  EXPECT_EQ(Stage().ranks[2].signal, 9);
}

TEST_F(RanksOfSlurm, ThatHangAreNamedByTheTimeout) {
  const ProgramEnd end = RunScript("if [ $SLURM_PROCID = 3 ]; then exec sleep 600; fi",
                                   Srun({"pipeline.direct_inference.timeout_s=20"}));
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_THAT(end.err, HasSubstr("RankTimedOut: timeout; not ended: rank 3 "));
  EXPECT_THAT(StatesOf(Stage()), ElementsAre(RankState::kDone, RankState::kDone,
                                             RankState::kDone, RankState::kStopped));
}

TEST_F(RanksOfSlurm, ReduceByGlooAndLeaveATraceEach) {
  if (!HasTorchDistributed()) GTEST_SKIP() << kNoTorchDistributed;
  AddVariable("GLOO_SOCKET_IFNAME=lo");
  AddVariable("OMP_NUM_THREADS=1");
  WriteFile(directory() / "reduce.py", kReduceProgram);
  AddVariable("MASTER_ADDR=127.0.0.1");
  AddVariable("MASTER_PORT=" + slurm::FreePort());
  MakeScript("rank.sh",
             "export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS\n"
             "exec /usr/bin/python3 reduce.py");
  const ProgramEnd end = Run(Srun({"pipeline.direct_inference.enable=false",
                                   "pipeline.torch_profiler.enable=true",
                                   "pipeline.workload.python.agent=always",
                                   "pipeline.torch_profiler.warmup_rounds=1",
                                   "hardware.peak_tflops=0.1", "hardware.peak_gbps=20"}),
                             {"./rank.sh"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  for (const RankRecord& rank : Stage("torch_profiler").ranks) {
    EXPECT_EQ(rank.last_line, "sum 6");
    EXPECT_THAT(rank.files, Contains(StartsWith("torch_profiler/trace.rank" +
                                                std::to_string(rank.rank) + ".")));
  }
}

// On one node: the directories of PMIx have no name of a node, and ours share a machine.
TEST_F(RanksOfSlurm, ReduceByOpenMpi) {
  if (!IsInstalled("mpirun")) GTEST_SKIP() << "mpirun is not installed";
  if (cluster_.Ask("srun --mpi=list 2>&1").find("pmix") == std::string::npos) {
    GTEST_SKIP() << "Slurm finds no PMIx (scripts/setup.sh mpi installs it)";
  }
  WriteFile(directory() / "sum.py", kMpiProgram);
  const std::vector<std::string> srun = Srun(
      {"pipeline.workload.ranks.nodes=1", "pipeline.workload.ranks.args=['--mpi=pmix']"});
  const ProgramEnd good = Run(srun, {kSystemPython, "sum.py"});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(Log(2), "sum 6\n");
  fs::remove_all(directory() / "run");
  const ProgramEnd killed = Run(srun, {kSystemPython, "sum.py", "1"});
  EXPECT_EQ(killed.exit_code, 137) << killed.err;
  EXPECT_EQ(Stage().ranks[1].signal, 9);
}

// Takes the lock of the tests that start nsys.
using RanksOfSlurmUnderNsys = RanksOfSlurm;

TEST_F(RanksOfSlurmUnderNsys, LeaveAReportEach) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const ProgramEnd end =
      Run(Srun({"pipeline.direct_inference.enable=false", "pipeline.nsys.enable=true",
                "pipeline.nsys.trace=nvtx", "pipeline.nsys.capture_range=nvtx",
                "pipeline.nsys.nvtx_capture=decode@*"}),
          {RIDGELINE_NVTX_WORKLOAD, "2", "2", "1"});
  const StageRecord stage = Stage("nsys");
  if (stage.outcome == "ToolFailed") GTEST_SKIP() << kNsysBroke;
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(stage.ranks.size(), 4U);
  for (const RankRecord& rank : stage.ranks) {
    EXPECT_EQ(rank.outcome, "Captured");
    for (const char* const suffix : {".nsys-rep", ".sqlite"}) {
      EXPECT_THAT(rank.files,
                  Contains(AllOf(StartsWith("nsys/run.rank" + std::to_string(rank.rank)),
                                 EndsWith(suffix))));
    }
  }
}

}  // namespace
}  // namespace ridgeline::run
