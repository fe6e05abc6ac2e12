// Every combination of the five stages, with a workload that opens NVTX ranges and with
// the real nsys and ncu where they are installed.
#include <bitset>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

const std::vector<std::string> kStages = {"static_analysis", "torch_profiler",
                                          "direct_inference", "nsys", "ncu"};

class StageMatrix : public Playground, public testing::WithParamInterface<int> {
 protected:
  bool IsOn(size_t stage) const { return std::bitset<5>(GetParam()).test(stage); }

  std::vector<std::string> Arguments() const {
    std::vector<std::string> arguments = {
        "run", "run.mode=light", "pipeline.nsys.trace=nvtx",
        "pipeline.workload.command=" +
            ListOverride({RIDGELINE_NVTX_WORKLOAD, "1", "1", "1"})};
    for (size_t i = 0; i < kStages.size(); ++i) {
      arguments.push_back("pipeline." + kStages[i] +
                          ".enable=" + (IsOn(i) ? "true" : "false"));
    }
    return arguments;
  }

  // What becomes of each stage on this machine, which has no GPU and perhaps no tools.
  State Expected(size_t stage) const {
    if (!IsOn(stage)) return State::kDisabled;
    const std::string& name = kStages[stage];
    if (name == "direct_inference") return State::kDone;
    if (name == "nsys") return IsInstalled("nsys") ? State::kDone : State::kSkipped;
    if (name == "ncu") {
      return !IsInstalled("ncu")                 ? State::kSkipped
             : fs::exists("/proc/driver/nvidia") ? State::kDone
                                                 : State::kFailed;
    }
    return State::kSkipped;  // A program has no operators to look into.
  }
};

TEST_P(StageMatrix, RunsWhatIsPlannedInOrder) {
  std::vector<std::string> dry = Arguments();
  dry.push_back("--dry-run");
  const ProgramEnd plan = Ridgeline(dry);
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_TRUE(fs::is_empty(directory()));  // A dry run writes nothing.

  const ProgramEnd end = Ridgeline(Arguments());
  const artifacts::Manifest manifest = ManifestOf(OnlyRun());
  ASSERT_EQ(manifest.stages.size(), kStages.size());
  bool any_failed = false;
  bool any_done = false;
  std::string last_started;
  size_t last_place = 0;
  for (size_t i = 0; i < kStages.size(); ++i) {
    const artifacts::StageRecord& stage = manifest.stages[i];
    SCOPED_TRACE(stage.name);
    EXPECT_EQ(stage.name, kStages[i]);
    EXPECT_EQ(stage.state, Expected(i)) << stage.reason;
    any_failed = any_failed || stage.state == State::kFailed;
    any_done = any_done || stage.state == State::kDone;
    const bool ran = stage.state == State::kDone || stage.state == State::kFailed;
    EXPECT_EQ(fs::exists(OnlyRun() / stage.name), ran);
    EXPECT_EQ(stage.processes.empty(), !ran);
    // The plan shows it, in order, with the command that was run.
    if (IsOn(i)) {
      const size_t place = plan.out.find(". " + stage.name + "\n");
      EXPECT_NE(place, std::string::npos) << plan.out;
      EXPECT_GT(place, last_place);
      last_place = place;
      EXPECT_GE(stage.started, last_started);
      last_started = stage.started;
    }
    EXPECT_EQ(stage.reason.empty(),
              stage.state != State::kSkipped && stage.state != State::kFailed);
  }
  const int nothing_ran = 3;
  EXPECT_EQ(end.exit_code, any_failed ? 1 : any_done ? 0 : nothing_ran) << end.err;
  EXPECT_EQ(manifest.state, any_failed ? State::kFailed : State::kDone);
  EXPECT_TRUE(Descendants().empty());
}

// All combinations of the first three stages; with nsys (8), ncu (16) or both, which take
// seconds: none, one, two or all of them.
INSTANTIATE_TEST_SUITE_P(WithoutNsight, StageMatrix, testing::Range(0, 8));
INSTANTIATE_TEST_SUITE_P(WithNsight, StageMatrix,
                         testing::Values(8, 8 + 2, 8 + 5, 8 + 7, 16, 16 + 2, 16 + 5,
                                         16 + 7, 24, 24 + 2, 24 + 5, 24 + 7));

}  // namespace
}  // namespace ridgeline::run
