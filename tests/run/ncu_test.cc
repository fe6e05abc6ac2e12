// The stage ncu with the real ncu, on a workload that launches no kernel: with and
// without a GPU there is nothing to profile, which is a result of its own. A fake ncu and
// a fake driver act out the rest.
#include <gmock/gmock.h>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class NcuRun : public Playground {
 protected:
  void SetUp() override {
    if (!IsInstalled("ncu")) GTEST_SKIP() << "ncu is not installed";
  }
  ProgramEnd Profile(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "run", "hydra.run.dir=out", "pipeline.ncu.enable=true",
        "pipeline.workload.command=" +
            ListOverride({RIDGELINE_NVTX_WORKLOAD, "1", "1", "1"})};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  artifacts::StageRecord Stage() { return *ManifestOf(directory() / "out").Find("ncu"); }
  fs::path Out(const std::string& file) { return directory() / "out/ncu" / file; }
};

// No filter is to blame where no kernel can run.
TEST_F(NcuRun, IsNotRepeatedWithoutAGpu) {
  if (fs::exists("/proc/driver/nvidia")) GTEST_SKIP() << "has a driver";
  const ProgramEnd end = Profile({});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "NoKernels");
  EXPECT_EQ(Stage().processes.size(), 1u);
  EXPECT_FALSE(fs::exists(Out("cmd_rerun.txt")));
  EXPECT_THAT(end.err, HasSubstr("NoKernels: no NVIDIA GPU on this machine (no "
                                 "driver): ncu profiled no kernels; see ncu/*.log"));
}

TEST_F(NcuRun, RunsOnceWhereNothingCanBeDropped) {
  EXPECT_EQ(
      Profile({"pipeline.ncu.gating_nvtx=false", "pipeline.ncu.ncu_cli.set=null",
               "pipeline.ncu.ncu_cli.sections=null", "pipeline.ncu.ncu_cli.metrics=null"})
          .exit_code,
      1);
  EXPECT_EQ(Stage().outcome, "NoKernels");
  EXPECT_EQ(Stage().processes.size(), 1u);
}

// An ncu that finds kernels only without some of its flags, and a driver with GPUs.
class FakeNcuRun : public NcuRun {
 protected:
  void SetUp() override {
    const fs::path tests = fs::path(RIDGELINE_SOURCE_DIR) / "tests";
    fs::create_directory(directory() / "bin");
    fs::create_symlink(tests / "hostile/ncu.sh", directory() / "bin/ncu");
    SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
    AddVariable("HOSTILE_TESTS=" + tests.string());
    fs::create_symlink(RIDGELINE_FAKE_NVML, directory() / "bin/libnvidia-ml.so.1");
    AddVariable("LD_LIBRARY_PATH=" + (directory() / "bin").string());
    WriteFile(directory() / "kernels.yaml", "kernels:\n- name: gemm\n- name: copy\n");
  }
};

TEST_F(FakeNcuRun, SaysThatThereAreNoKernelsAfterReruns) {
  AddVariable("HOSTILE_ACT=no_kernels");
  const ProgramEnd end = Profile({});
  EXPECT_EQ(end.exit_code, 1);
  const artifacts::StageRecord stage = Stage();
  EXPECT_EQ(stage.outcome, "NoKernels");
  EXPECT_EQ(stage.processes.size(), 4u);
  EXPECT_THAT(stage.notes, Contains("no kernels profiled; rerun 1/3 without "
                                    "nvtx.include (decode/) (cmd_rerun.txt)"));
  EXPECT_THAT(stage.notes, Contains(HasSubstr("no nsys kernels to select from")));
  EXPECT_THAT(stage.artifacts,
              IsSupersetOf({"ncu/cmd.txt", "ncu/cmd_rerun.txt", "ncu/cmd_rerun2.txt",
                            "ncu/cmd_rerun3.txt", "ncu/ncu.log", "ncu/ncu_rerun.log",
                            "ncu/ncu_rerun3.log", "ncu/sections.txt"}));
  EXPECT_THAT(ReadFile(Out("cmd.txt")), HasSubstr("--nvtx-include decode/"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), Not(HasSubstr("--nvtx-include")));
  // One after the other.
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), HasSubstr("--section Occupancy"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun2.txt")), Not(HasSubstr("--section ")));
  EXPECT_THAT(ReadFile(Out("cmd_rerun2.txt")), HasSubstr("--metrics smsp__sass"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun3.txt")), Not(HasSubstr("--metrics ")));
  EXPECT_THAT(end.err, HasSubstr("; none either without nvtx.include (decode/), "));
}

TEST_F(FakeNcuRun, DropsTheChoiceOfKernelsFirst) {
  AddVariable("HOSTILE_ACT=no_kernels");
  WriteFile(directory() / "kernels.yaml",
            "kernels:\n- {name: 'void gemm<float, 2>(float *, const int (&)[4])', calls: "
            "23, time_total_ns: 9}\n");
  EXPECT_EQ(Profile({"pipeline.ncu.gating_nvtx=false",
                     "pipeline.ncu.kernel_config=kernels.yaml"})
                .exit_code,
            1);
  EXPECT_EQ(Stage().outcome, "NoKernels");
  EXPECT_THAT(Stage().notes, Contains(HasSubstr("without the kernel selection (")));
  EXPECT_THAT(ReadFile(Out("cmd.txt")),
              ContainsRegex("--kernel-name 'regex:\\^void.*gemm"));
  EXPECT_THAT(ReadFile(Out("cmd.txt")), HasSubstr("--launch-count 20 "));
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), Not(HasSubstr("--kernel-name ")));
  // 20 of each of run.top_n_kernels.
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), HasSubstr("--launch-count 600 "));
  EXPECT_TRUE(fs::exists(Out("kernels.yaml")));
}

TEST_F(FakeNcuRun, ProfilesFewLaunchesUnlessAskedForMore) {
  WriteFile(directory() / "kernels.yaml",
            "kernels:\n- {name: gemm, calls: 5000, time_total_ns: 900}\n"
            "- {name: copy, calls: 3, time_total_ns: 100}\n");
  EXPECT_EQ(Profile({"pipeline.ncu.kernel_config=kernels.yaml"}).exit_code, 0);
  EXPECT_THAT(ReadFile(Out("cmd.txt")), HasSubstr("--launch-count 23 "));
  fs::remove_all(directory() / "out");
  EXPECT_EQ(Profile({"pipeline.ncu.kernel_config=kernels.yaml",
                     "pipeline.ncu.plan.launches_per_kernel=null",
                     "pipeline.ncu.plan.budget_s=null"})
                .exit_code,
            0);
  EXPECT_THAT(ReadFile(Out("cmd.txt")), Not(HasSubstr("--launch-count")));
}

TEST_F(FakeNcuRun, RefusesAPlanThatCannotEndInTime) {
  WriteFile(directory() / "kernels.yaml",
            "kernels:\n- {name: gemm, calls: 500000, time_total_ns: 900}\n");
  const ProgramEnd end = Profile(
      {"pipeline.ncu.kernel_config=kernels.yaml", "pipeline.ncu.timeout_s=100",
       "pipeline.ncu.plan.launches_per_kernel=null", "pipeline.ncu.plan.budget_s=null"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "PlanTooLong");
  EXPECT_TRUE(Stage().processes.empty());
  EXPECT_EQ(Stage().retry_overrides,
            std::vector<std::string>{"pipeline.ncu.plan.budget_s=80"});
  EXPECT_THAT(end.err, HasSubstr("more than pipeline.ncu.timeout_s=100"));
}

TEST_F(FakeNcuRun, DropsFiltersUntilItFindsKernels) {
  struct Case {
    const char* flags;
    std::string dropped;
    size_t runs;  // Of the workload.
  };
  const Case cases[] = {
      {"--kernel-name", "the kernel selection", 2},
      {"--nvtx-include", "the kernel selection, nvtx.include (decode/)", 3},
      {"--kernel-name|--section",
       "the kernel selection, nvtx.include (decode/), set and sections", 4},
      {"--metrics",
       "the kernel selection, nvtx.include (decode/), set and sections, metrics", 5},
  };
  AddVariable("HOSTILE_ACT=no_kernels_with");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.flags);
    fs::remove_all(directory() / "out");
    const ProgramEnd end =
        Profile({"pipeline.ncu.kernel_config=kernels.yaml",
                 std::string("+pipeline.workload.env.HOSTILE_FLAGS='") + c.flags + "'"});
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(Stage().outcome, "Profiled");
    EXPECT_THAT(end.err, HasSubstr("run.ncu-rep (without " + c.dropped + ")"));
    EXPECT_THAT(Stage().notes,
                Contains(HasSubstr("without " + c.dropped + " (cmd_rerun")));
    size_t runs = 0;
    for (const auto& process : Stage().processes) {
      runs += process.purpose.starts_with("ncu page") ? 0 : 1;
    }
    EXPECT_EQ(runs, c.runs);
  }
}

TEST_F(NcuRun, NamesAListOfKernelsThatIsNoList) {
  WriteFile(directory() / "kernels.yaml", "kernels: 3\n");
  const ProgramEnd end = Profile({"pipeline.ncu.kernel_config=kernels.yaml"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("kernels.yaml: missing list 'kernels'"));
}

// As earlier presets have it; ncu would look for a start/end range of that very name.
TEST_F(NcuRun, TranslatesARangeThatNcuCouldNeverMatch) {
  EXPECT_EQ(Profile({"pipeline.ncu.ncu_cli.nvtx.include='decode*'"}).exit_code, 1);
  EXPECT_THAT(ReadFile(Out("cmd.txt")), HasSubstr("--nvtx-include 'regex:decode.*/'"));
  EXPECT_THAT(Stage().notes,
              Contains(HasSubstr("'decode*' is passed as 'regex:decode.*/'")));
}

// A set or section that the real ncu lacks would make it refuse, or profile nothing.
TEST_F(NcuRun, EveryPresetIsAccepted) {
  for (const char* preset : {"ncu.default", "ncu.high", "ncu.rtx3090",
                             "ncu.rtx3090.compute", "ncu.rtx3090.memory"}) {
    SCOPED_TRACE(preset);
    const std::string out = std::string("hydra.run.dir=") + preset;
    const ProgramEnd end =
        Profile({std::string("profiling/ncu@pipeline.ncu=") + preset, out});
    EXPECT_EQ(end.exit_code, 1);
    EXPECT_EQ(ManifestOf(directory() / preset).Find("ncu")->outcome, "NoKernels")
        << end.err;
  }
}

TEST_F(NcuRun, SaysWhatNcuRefused) {
  const ProgramEnd end = Profile({"pipeline.ncu.ncu_cli.extra_args=['--frobnicate']"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "ArgumentRefused");
  EXPECT_THAT(end.err, HasSubstr("--frobnicate"));
}

TEST_F(NcuRun, HandsOnThatTheProgramFailed) {
  MakeScript("fails", "exit 7\n");
  const ProgramEnd end = Ridgeline(
      {"run", "hydra.run.dir=out", "pipeline.ncu.enable=true",
       "pipeline.workload.command=" + ListOverride({(directory() / "fails").string()})});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "WorkloadFailed");
}

}  // namespace
}  // namespace ridgeline::run
