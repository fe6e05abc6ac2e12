// Workloads with ranks: shell scripts under our own launcher and under launchers that
// misbehave, real torch.distributed, Open MPI and nsys.
#include "run/ranks.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

TEST_F(Ranks, HaveTheVariablesOfTorchrunAndFilesOfTheirOwn) {
  const ProgramEnd end = RunScript(
      "echo $RANK $LOCAL_RANK $WORLD_SIZE $LOCAL_WORLD_SIZE $MASTER_ADDR "
      "${MASTER_PORT:+p}");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("; 4 ranks on 1 host, start-up skew "));
  const StageRecord stage = Stage();
  ASSERT_EQ(stage.ranks.size(), 4U);
  EXPECT_EQ(stage.state, State::kDone);
  for (int rank = 0; rank < 4; ++rank) {
    const std::string number = std::to_string(rank);
    EXPECT_EQ(Log(rank), number + " " + number + " 4 4 127.0.0.1 p\n");
    const RankRecord& record = stage.ranks[static_cast<size_t>(rank)];
    EXPECT_EQ(record.rank, rank);
    EXPECT_EQ(record.state, RankState::kDone);
    EXPECT_EQ(record.exit_code, 0);
    EXPECT_FALSE(record.host.empty());
    EXPECT_GE(record.start_delay_s.value(), 0);
    EXPECT_GT(record.peak_rss_bytes.value(), 0);
    EXPECT_THAT(record.files,
                ElementsAre("direct_inference/ranks/rank" + number + ".json",
                            "direct_inference/workload.rank" + number + ".log"));
  }
  EXPECT_THAT(ReadFile(directory() / "run/report.md"),
              HasSubstr("- direct_inference: 4 of 4 ranks done, start-up skew "));
  const Json metrics = Json::parse(ReadFile(directory() / "run/metrics.json"));
  EXPECT_EQ(metrics["ranks"].size(), 4U);
  EXPECT_EQ(metrics["ranks"][3]["state"], "done");
  EXPECT_THAT(ReadFile(directory() / "run/report.html"), HasSubstr("workload.rank3.log"));
  // It has the commands of the ranks with all their secrets.
  EXPECT_FALSE(fs::exists(directory() / "run/tmp/workload/direct_inference/ranks.json"));
}

TEST_F(Ranks, AreEndedWhenOneFails) {
  const ProgramEnd end = RunScript(
      "if [ $RANK = 2 ]; then echo boom; exit 3; fi; trap '' TERM; sleep 600 & wait; "
      "wait");
  EXPECT_EQ(end.exit_code, 3);  // As the program.
  EXPECT_THAT(end.err, HasSubstr("RankFailed: rank 2 on "));
  EXPECT_THAT(end.err,
              HasSubstr(": exit code 3; then stopped: ranks 0, 1, 3; last line of "
                        "output: boom; see direct_inference/workload.rank2.log"));
  const StageRecord stage = Stage();
  EXPECT_EQ(stage.outcome, "RankFailed");
  EXPECT_THAT(StatesOf(stage), ElementsAre(RankState::kStopped, RankState::kStopped,
                                           RankState::kFailed, RankState::kStopped));
  EXPECT_EQ(stage.ranks[2].last_line, "boom");
  WaitForNoDescendants();
}

TEST_F(Ranks, ThatHangAreNamedByTheTimeout) {
  const ProgramEnd end = RunScript("case $RANK in 1|3) exec sleep 600;; esac",
                                   {"pipeline.direct_inference.timeout_s=8"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("RankTimedOut: timeout; not ended: ranks 1, 3 "
                                 "(pipeline.direct_inference.timeout_s=8)"));
  EXPECT_THAT(StatesOf(Stage()), ElementsAre(RankState::kDone, RankState::kStopped,
                                             RankState::kDone, RankState::kStopped));
  WaitForNoDescendants();
}

TEST_F(Ranks, ThatAreKilledAreNamed) {
  const ProgramEnd end =
      RunScript("if [ $RANK = 1 ]; then kill -9 $$; fi; exec sleep 600");
  EXPECT_EQ(end.exit_code, 137);
  EXPECT_THAT(end.err,
              HasSubstr(": killed by signal 9 (Killed); then stopped: ranks 0, "));
  EXPECT_EQ(Stage().ranks[1].signal, 9);
}

TEST_F(Ranks, ThatAreKilledWithTheirWatcherAreNamed) {
  const ProgramEnd end = RunScript(
      "status=" + (directory() / "run/tmp/direct_inference/ranks/rank1.json").string() +
      "\nif [ $RANK = 1 ]; then\n"
      "  kill -9 $(sed -n 's/.*\"pid\": \\([0-9]*\\).*/\\1/p' $status)\nfi\n"
      "exec sleep 600");
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr("RankFailed: rank 1 on "));
  EXPECT_THAT(end.err, HasSubstr("killed before its end was recorded"));
  EXPECT_EQ(Stage().ranks[1].state, RankState::kFailed);
  EXPECT_FALSE(Stage().ranks[1].exit_code.has_value());
  WaitForNoDescendants();
}

// Launchers that misbehave in ways that the real ones only do when a node fails.
class RanksOfAFakeLauncher : public Ranks {
 protected:
  ProgramEnd RunUnder(const std::string& srun) {
    fs::create_directories(directory() / "bin");
    // Words before the program are options.
    MakeScript("bin/srun",
               "while case $1 in -*) true;; *) false;; esac; do shift; done\n" + srun);
    SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
    return RunScript("echo $SLURM_PROCID", {"pipeline.workload.ranks.launcher=srun"});
  }
};

TEST_F(RanksOfAFakeLauncher, ThatLeaveNothingAreMissing) {
  const ProgramEnd end =
      RunUnder("for i in 0 1 2; do SLURM_PROCID=$i SLURM_NTASKS=4 \"$@\" & done; wait");
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("RankMissing: rank 3 wrote no status"));
  const StageRecord stage = Stage();
  EXPECT_EQ(stage.outcome, "RankMissing");
  EXPECT_THAT(StatesOf(stage), ElementsAre(RankState::kDone, RankState::kDone,
                                           RankState::kDone, RankState::kMissing));
  EXPECT_THAT(stage.ranks[3].files, IsEmpty());
}

TEST_F(RanksOfAFakeLauncher, AreNotStartedInAnotherNumber) {
  const ProgramEnd end = RunUnder("SLURM_PROCID=0 SLURM_NTASKS=2 \"$@\" || exit $?");
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr("RankMissing: ranks 0-3 wrote no status"));
  EXPECT_THAT(end.err, HasSubstr("srun started rank 0 of 2, but "
                                 "pipeline.workload.ranks.count=4"));
}

TEST_F(RanksOfAFakeLauncher, ThatFailsByItselfIsNamed) {
  const ProgramEnd end = RunUnder(
      "for i in 0 1 2 3; do SLURM_PROCID=$i SLURM_NTASKS=4 \"$@\" & done; wait\n"
      "echo credential expired >&2; exit 9");
  EXPECT_EQ(end.exit_code, 9);
  EXPECT_THAT(end.err, HasSubstr("LauncherFailed: every rank started, but the launcher "
                                 "failed: exit code 9; last line of output: credential "
                                 "expired"));
}

TEST_F(Ranks, WithoutTheirLauncherAreNotStarted) {
  fs::create_directories(directory() / "bin");
  SetPath((directory() / "bin").string());
  const ProgramEnd end = RunScript("true", {"pipeline.workload.ranks.launcher=mpirun"});
  EXPECT_EQ(end.exit_code, 127);
  EXPECT_THAT(end.err,
              HasSubstr("pipeline.workload.ranks.launcher: no program 'mpirun'"));
}

TEST_F(Ranks, AreShownByADryRun) {
  MakeScript("rank.sh", "true");
  const ProgramEnd end = Ridgeline(
      {"run", "--dry-run", "hydra.run.dir=run", "pipeline.workload.ranks.count=2",
       "pipeline.workload.ranks.launcher=srun", "pipeline.workload.ranks.nodes=2",
       "pipeline.workload.ranks.profile=1", "pipeline.nsys.enable=true",
       "pipeline.static_analysis.enable=false", "pipeline.torch_profiler.enable=false",
       "--", "./rank.sh"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("srun --ntasks=2 --kill-on-bad-exit=1 --nodes=2 "));
  EXPECT_THAT(end.out, HasSubstr("\n       rank 0 (not profiled): cd "));
  EXPECT_THAT(end.out, HasSubstr("\n       rank 1: cd "));
  EXPECT_THAT(end.out, HasSubstr("/nsys/run.rank1.%h /bin/sh"));
}

TEST_F(Ranks, UnderNcuAreRefusedUnlessOneIsProfiled) {
  const ProgramEnd end = RunScript("true", {"pipeline.ncu.enable=true"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("pipeline.workload.ranks.profile: must be one rank with "
                                 "pipeline.ncu.enable=true"));
  EXPECT_FALSE(fs::exists(directory() / "run"));
}

TEST_F(Ranks, ThatAreNotProfiledOnlyRun) {
  if (!fs::exists(kSystemPython)) GTEST_SKIP() << "no /usr/bin/python3";
  const ProgramEnd end =
      Run({"pipeline.workload.ranks.profile=[1,3]"},
          {kSystemPython, "-c", "import os; print(os.environ['RANK'])"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(Log(rank), std::to_string(rank) + "\n");
    EXPECT_EQ(fs::exists(directory() / "run/direct_inference/python" /
                         ("rank" + std::to_string(rank))),
              rank % 2 == 1);
  }
}

TEST_F(Ranks, OfOpenMpiAreToldByItsVariables) {
  if (!IsInstalled("mpirun")) GTEST_SKIP() << "mpirun is not installed";
  AddVariable("OMPI_ALLOW_RUN_AS_ROOT=1");
  AddVariable("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
  const std::vector<std::string> overrides = {
      "pipeline.workload.ranks.launcher=mpirun",
      "pipeline.workload.ranks.args=[--oversubscribe]"};
  WriteFile(directory() / "sum.py", kMpiProgram);
  const ProgramEnd good = Run(overrides, {kSystemPython, "sum.py"});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(Log(3), "sum 6\n");
  fs::remove_all(directory() / "run");
  const ProgramEnd killed = Run(overrides, {kSystemPython, "sum.py", "2"});
  EXPECT_EQ(killed.exit_code, 137);
  EXPECT_THAT(killed.err, HasSubstr("RankFailed: rank 2 on "));
  EXPECT_EQ(Stage().ranks[2].signal, 9);
  fs::remove_all(directory() / "run");
  const ProgramEnd bad = RunScript(
      "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then echo no memory; exit 5; fi; exec sleep 600",
      overrides);
  EXPECT_EQ(bad.exit_code, 5);
  EXPECT_THAT(bad.err, HasSubstr("RankFailed: rank 1 on "));
  EXPECT_THAT(bad.err, HasSubstr("last line of output: no memory"));
  WaitForNoDescendants();
}

class RanksOfTorch : public Ranks {
 protected:
  void SetUp() override {
    if (!HasTorchDistributed()) GTEST_SKIP() << kNoTorchDistributed;
    AddVariable("GLOO_SOCKET_IFNAME=lo");
    AddVariable("OMP_NUM_THREADS=1");
    WriteFile(directory() / "reduce.py", kReduceProgram);
  }
};

TEST_F(RanksOfTorch, ReduceUnderTheLocalLauncherAndLeaveATraceEach) {
  const ProgramEnd end = Run(
      {"pipeline.direct_inference.enable=false", "pipeline.torch_profiler.enable=true",
       "pipeline.torch_profiler.warmup_rounds=1", "hardware.peak_tflops=0.1",
       "hardware.peak_gbps=20"},
      {kSystemPython, "reduce.py"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const StageRecord stage = Stage("torch_profiler");
  for (const RankRecord& rank : stage.ranks) {
    EXPECT_EQ(rank.last_line, "sum 6");
    EXPECT_THAT(rank.files,
                Contains("torch_profiler/trace.rank" + std::to_string(rank.rank) + "." +
                         rank.host + ".json.gz"));
  }
  const Json metrics = Json::parse(ReadFile(directory() / "run/metrics.json"));
  EXPECT_EQ(metrics["ranks"].size(), 4U);
  const std::string trace = "run/torch_profiler/trace.rank2." + stage.ranks[2].host;
  EXPECT_EQ(Ridgeline({"import", trace + ".json.gz"}).exit_code, 0);
}

TEST_F(RanksOfTorch, ReduceUnderTorchrunAndEndWithTheFirstFailure) {
  // Without -r and -t, torchrun of PyTorch 1.13 breaks under Python 3.11.
  const std::vector<std::string> torchrun = {
      "pipeline.workload.ranks.launcher=torchrun",
      "pipeline.workload.ranks.args=[-r,'9:1',-t,'9:1']"};
  const ProgramEnd good = Run(torchrun, {kSystemPython, "reduce.py"});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(Log(1), HasSubstr("sum 6"));
  fs::remove_all(directory() / "run");
  const ProgramEnd bad = Run(torchrun, {kSystemPython, "reduce.py", "3"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, HasSubstr("RankFailed: rank 3 on "));
  EXPECT_THAT(bad.err, HasSubstr("rank gives up"));
  WaitForNoDescendants();
}

class RanksUnderNsys : public Ranks {
 protected:
  void SetUp() override {
    if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  }

  // Several nsys 2022.4 that start at once sometimes break each other, also when the
  // stage and Run() have tried again.
  bool HasNsysBroken() { return Stage("nsys").outcome == "ToolFailed"; }
};

TEST_F(RanksUnderNsys, LeaveAReportEach) {
  const ProgramEnd end = Run(
      {"pipeline.direct_inference.enable=false", "pipeline.nsys.enable=true",
       "pipeline.nsys.trace=nvtx", "pipeline.nsys.capture_range=nvtx",
       "pipeline.nsys.nvtx_capture=decode@*", "pipeline.workload.ranks.profile=[0,1,3]"},
      {RIDGELINE_NVTX_WORKLOAD, "2", "2", "1"});
  if (HasNsysBroken()) GTEST_SKIP() << kNsysBroke;
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const StageRecord stage = Stage("nsys");
  EXPECT_EQ(stage.outcome, "Captured");
  ASSERT_EQ(stage.ranks.size(), 4U);
  for (const RankRecord& rank : stage.ranks) {
    EXPECT_EQ(rank.state, RankState::kDone);
    EXPECT_EQ(rank.profiled, rank.rank != 2);
    EXPECT_EQ(rank.outcome, rank.rank == 2 ? "" : "Captured");
    const std::string name =
        "nsys/run.rank" + std::to_string(rank.rank) + "." + rank.host;
    if (rank.rank == 2) continue;
    EXPECT_THAT(rank.files,
                testing::IsSupersetOf({name + ".nsys-rep", name + ".sqlite"}));
  }
  const auto regions = RowsOf(directory() / "run/results.sqlite",
                              "SELECT path, count(*) FROM region GROUP BY path");
  EXPECT_THAT(regions, Contains(testing::Pair("decode", 3)));
}

TEST_F(RanksUnderNsys, KeepTheReportsOfTheOthersIfOneNeverOpensTheRange) {
  MakeScript("rank.sh", std::string("[ $RANK = 1 ] && exec true; exec ") +
                            RIDGELINE_NVTX_WORKLOAD + " 1 1 1");
  const ProgramEnd end =
      Run({"pipeline.workload.ranks.count=2", "pipeline.direct_inference.enable=false",
           "pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
           "pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture=decode@*",
           "pipeline.nsys.nvtx_dry_run=false"},
          {"./rank.sh"});
  if (HasNsysBroken()) GTEST_SKIP() << kNsysBroke;
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("rank 1 on "));
  const StageRecord stage = Stage("nsys");
  EXPECT_EQ(stage.outcome, "NoRangeHit");
  EXPECT_EQ(stage.ranks[0].outcome, "Captured");
  EXPECT_EQ(stage.ranks[1].outcome, "NoRangeHit");
  EXPECT_THAT(stage.ranks[0].files, Contains(EndsWith(".sqlite")));
  EXPECT_THAT(stage.ranks[1].files, Each(Not(EndsWith(".sqlite"))));
}

}  // namespace
}  // namespace ridgeline::run
