#include <gmock/gmock.h>

#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const NcuSelection kTwo = {.kernels = {{"gemm<1>", 3, 60}, {"copy", 3, 40}},
                           .filter = "regex:^gemm<1>$|^copy$"};

std::vector<std::string> BasesOf(const std::vector<NcuJob>& jobs) {
  std::vector<std::string> bases;
  for (const NcuJob& job : jobs) bases.push_back(job.base);
  return bases;
}

TEST(NcuJobsTest, NeedsOneRunWhereLaunchesAreNotCounted) {
  EXPECT_THAT(BasesOf(JobsOf({}, kTwo)), ElementsAre("run"));
  EXPECT_THAT(BasesOf(JobsOf({.launch_count = 2}, {})), ElementsAre("run"));
}

TEST(NcuJobsTest, NeedsARunPerKernelWhereNcuCountsThemTogether) {
  const auto jobs = JobsOf({.launch_count = 2}, kTwo);
  EXPECT_THAT(BasesOf(jobs), ElementsAre("run.0001", "run.0002"));
  EXPECT_THAT(jobs[0].options.kernel_name, HasSubstr("gemm"));
  EXPECT_EQ(jobs[1].options.kernel_name, "regex:^copy$");
  EXPECT_EQ(jobs[1].suffix, ".0002");
}

TEST(NcuJobsTest, MeasuresEachRangeByItself) {
  const NcuOptions options = {.replay_mode = "range",
                              .nvtx_include = {"LLM@decode/", "decode/", "a b/c"}};
  EXPECT_THAT(
      BasesOf(JobsOf(options, {})),
      ElementsAre("regions/decode/run", "regions/decode_/run", "regions/a_bc/run"));
  EXPECT_EQ(RangeLabel("LLM@decode/"), "decode");
}

}  // namespace
}  // namespace ridgeline::stages
