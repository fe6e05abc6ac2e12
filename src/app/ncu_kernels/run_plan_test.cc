#include "app/ncu_kernels/run_plan.h"

#include <gmock/gmock.h>

namespace ridgeline::app {
namespace {

using stages::NcuFacts;
using testing::ElementsAre;

constexpr Launches kLaunches = {.skip = 200, .count = 2};

std::vector<PlannedRun> Plan(const std::vector<ChosenKernel>& kernels, RunMode mode) {
  return PlanRuns(kernels, EveryKernel(kernels), kLaunches, mode);
}

std::vector<std::vector<size_t>> KernelsOf(const std::vector<PlannedRun>& runs) {
  std::vector<std::vector<size_t>> kernels;
  for (const PlannedRun& run : runs) kernels.push_back(run.kernels);
  return kernels;
}

TEST(PlanRuns, PutsKernelsIntoOneRun) {
  const std::vector<ChosenKernel> kernels = {{.name = "a", .pattern = "^a::f$"},
                                             {.name = "b", .pattern = "g|h"}};
  const std::vector<PlannedRun> runs = Plan(kernels, RunMode::kOneRun);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].kernels, ElementsAre(0, 1));
  EXPECT_THAT(runs[0].filter,
              ElementsAre("--kernel-name-base", "demangled", "--kernel-name",
                          "regex:(^a::f$)|(g|h)", "--launch-skip", "200",
                          "--launch-count", "2", "--filter-mode", "per-launch-config"));
}

TEST(PlanRuns, GivesASingleKernelTheFlagsOfTheEarlierScript) {
  const std::vector<ChosenKernel> kernels = KernelsOfRegexes({"gemm", "conv"});
  const std::vector<PlannedRun> runs =
      PlanRuns(kernels, std::vector<size_t>{1}, kLaunches, RunMode::kOneRun);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].kernels, ElementsAre(1));
  EXPECT_THAT(runs[0].filter,
              ElementsAre("--kernel-name-base", "demangled", "--kernel-name",
                          "regex:conv", "--launch-skip", "200", "--launch-count", "2"));
  EXPECT_EQ(runs[0].filter, Plan(kernels, RunMode::kRunPerKernel)[1].filter);
}

TEST(PlanRuns, KeepsApartWhatCannotBeTogether) {
  const std::vector<ChosenKernel> kernels =
      KernelsOfRegexes({R"((a)\1)", "f", R"(\\1)", "g"});
  EXPECT_THAT(KernelsOf(Plan(kernels, RunMode::kOneRun)),
              ElementsAre(ElementsAre(1, 2, 3), ElementsAre(0)));
  EXPECT_THAT(
      KernelsOf(Plan(kernels, RunMode::kRunPerKernel)),
      ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
}

TEST(PlanRuns, KeepsCommandsShortEnough) {
  std::vector<ChosenKernel> kernels;
  for (int i = 0; i < 20; ++i) {
    kernels.push_back({.name = "k", .pattern = std::string(7000, 'x')});
  }
  const std::vector<PlannedRun> runs = Plan(kernels, RunMode::kOneRun);
  ASSERT_EQ(runs.size(), 3u);
  size_t covered = 0;
  for (const PlannedRun& run : runs) {
    covered += run.kernels.size();
    for (const std::string& word : run.filter) EXPECT_LT(word.size(), size_t{100} << 10);
  }
  EXPECT_EQ(covered, 20u);
}

TEST(CanShareRuns, OnlyWhereNcuCountsApart) {
  NcuFacts facts;
  EXPECT_FALSE(CanShareRuns(facts));
  facts.filter_modes = {"global", "per-gpu"};  // 2022.3
  EXPECT_FALSE(CanShareRuns(facts));
  facts.filter_modes = {"global", "per-gpu", "per-launch-config"};
  EXPECT_TRUE(CanShareRuns(facts));
}

TEST(KnownSections, DropsWhatThisNcuLacks) {
  NcuFacts facts;
  facts.sections = {"SpeedOfLight", "Occupancy"};
  std::vector<std::string> missing;
  EXPECT_THAT(KnownSections({"SpeedOfLight", "Tile", "Occupancy"}, facts, missing),
              ElementsAre("SpeedOfLight", "Occupancy"));
  EXPECT_THAT(missing, ElementsAre("Tile"));
}

TEST(CaptureCommand, IsWhatIsAsked) {
  const PlannedRun run = {.kernels = {0}, .filter = {"--kernel-name", "regex:f"}};
  EXPECT_EQ(CaptureCommand(run, {"SpeedOfLight", "Occupancy"}, "out/ncu", {"./app", "-x"})
                .ToShellString(),
            "ncu --target-processes all --kernel-name regex:f --section SpeedOfLight "
            "--section Occupancy --export out/ncu ./app -x");
}

TEST(ImportCommand, TakesOneKernelOutOfAReport) {
  EXPECT_EQ(ImportCommand("run_1.ncu-rep", {.name = "f", .pattern = "^f$"},
                          {"--page", "details", "--section", "Occupancy"})
                .ToShellString(),
            "LC_ALL=C ncu --import run_1.ncu-rep --csv --print-units base "
            "--kernel-name-base demangled --kernel-name 'regex:^f$' --page details "
            "--section Occupancy");
}

}  // namespace
}  // namespace ridgeline::app
