// The stage ncu with the real ncu, on a workload that launches no kernel: with and
// without a GPU there is nothing to profile, which is a result of its own.
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

TEST_F(NcuRun, SaysThatThereAreNoKernelsAfterOneRerun) {
  const ProgramEnd end = Profile({});
  EXPECT_EQ(end.exit_code, 1);
  const artifacts::StageRecord stage = Stage();
  EXPECT_EQ(stage.outcome, "NoKernels");
  EXPECT_EQ(stage.processes.size(), 2u);
  EXPECT_THAT(stage.notes, Contains(HasSubstr("rerun without nvtx.include (decode/)")));
  EXPECT_THAT(stage.notes, Contains(HasSubstr("no nsys kernels to select from")));
  EXPECT_THAT(stage.artifacts,
              IsSupersetOf({"ncu/cmd.txt", "ncu/cmd_rerun.txt", "ncu/ncu.log",
                            "ncu/ncu_rerun.log", "ncu/sections.txt"}));
  EXPECT_THAT(ReadFile(Out("cmd.txt")), HasSubstr("--nvtx-include decode/"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), Not(HasSubstr("--nvtx-include")));
  // What is measured stays the same.
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")),
              HasSubstr("--section MemoryWorkloadAnalysis"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), HasSubstr("--metrics smsp__sass"));
  EXPECT_THAT(end.err, HasSubstr("NoKernels: no kernels profiled"));
}

TEST_F(NcuRun, RunsOnceWhereNothingCanBeRelaxed) {
  EXPECT_EQ(Profile({"pipeline.ncu.gating_nvtx=false"}).exit_code, 1);
  EXPECT_EQ(Stage().outcome, "NoKernels");
  EXPECT_EQ(Stage().processes.size(), 1u);
}

TEST_F(NcuRun, RelaxesTheChoiceOfKernelsNext) {
  WriteFile(directory() / "kernels.yaml",
            "kernels:\n- name: 'void gemm<float, 2>(float *, const int (&)[4])'\n");
  EXPECT_EQ(Profile({"pipeline.ncu.gating_nvtx=false",
                     "pipeline.ncu.kernel_config=kernels.yaml"})
                .exit_code,
            1);
  EXPECT_EQ(Stage().outcome, "NoKernels");
  EXPECT_THAT(Stage().notes, Contains(HasSubstr("without a kernel filter")));
  EXPECT_THAT(ReadFile(Out("cmd.txt")),
              ContainsRegex("--kernel-name 'regex:\\^void.*gemm"));
  EXPECT_THAT(ReadFile(Out("cmd_rerun.txt")), Not(HasSubstr("--kernel-name ")));
  EXPECT_TRUE(fs::exists(Out("kernels.yaml")));
}

TEST_F(NcuRun, NamesAListOfKernelsThatIsNoList) {
  WriteFile(directory() / "kernels.yaml", "kernels: 3\n");
  const ProgramEnd end = Profile({"pipeline.ncu.kernel_config=kernels.yaml"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.err, HasSubstr("kernels.yaml: missing list 'kernels'"));
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
