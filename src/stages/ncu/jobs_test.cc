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

TEST(NcuJobsTest, KnowsTheNamesOfItsRanges) {
  EXPECT_THAT(RangesOf({.nvtx_include = {"LLM@decode/", "outer/*/step/", "de*", "[top"}}),
              ElementsAre("decode", "step", "de*", "top"));
  EXPECT_THAT(RangesOf({.nvtx_include = {"decode/", "regex:x.*/"}}), testing::IsEmpty());
  EXPECT_THAT(RangesOf({.gating_nvtx = false, .nvtx_include = {"decode/"}}),
              testing::IsEmpty());
}

TEST(NcuAttemptsTest, DropOneFilterAfterTheOther) {
  struct Case {
    const char* what;
    NcuOptions options;
    std::vector<std::string> want;  // Dropped options, in order.
  };
  const Case cases[] = {
      {"nothing to drop", {}, {}},
      {"all of them",
       {.nvtx_include = {"decode/"},
        .set = "roofline",
        .sections = {"Occupancy"},
        .metrics = {"x.sum"},
        .kernel_name = "regex:gemm"},
       {"the kernel selection", "nvtx.include (decode/)", "set and sections", "metrics"}},
      {"launches that may not be reached",
       {.metrics = {"x.sum"}, .launch_skip = 200},
       {"the kernel selection", "metrics"}},
      {"no gate, no drop of it",
       {.gating_nvtx = false, .nvtx_include = {"decode/"}, .sections = {"Occupancy"}},
       {"set and sections"}},
      {"ranges are what is measured",
       {.replay_mode = "range", .nvtx_include = {"decode/"}, .set = "roofline"},
       {"set and sections"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::vector<NcuAttempt> attempts = AttemptsOf(c.options, /*passes=*/10);
    ASSERT_EQ(attempts.size(), c.want.size() + 1);
    EXPECT_TRUE(attempts.front().dropped.empty());
    EXPECT_EQ(attempts.back().dropped, c.want);
    for (size_t i = 0; i < attempts.size(); ++i) EXPECT_EQ(attempts[i].dropped.size(), i);
  }
  const NcuOptions last = AttemptsOf(cases[1].options, /*passes=*/10).back().options;
  EXPECT_FALSE(last.IsGated());
  EXPECT_EQ(last.kernel_name + last.set, "");
  EXPECT_TRUE(last.sections.empty() && last.metrics.empty());
}

TEST(NcuAttemptsTest, CountTheLaunchesOfAllKernelsWithoutASelection) {
  struct Case {
    const char* what;
    NcuOptions options;
    std::optional<int64_t> first;
    std::optional<int64_t> last;
  };
  const Case cases[] = {
      {"of the selection, then of run.top_n_kernels",
       {.kernel_name = "regex:gemm", .sampled_launches = 23},
       23,
       600},
      {"as many as fit into the timeout",
       {.kernel_name = "regex:gemm", .sampled_launches = 23, .timeout_s = 20},
       23,
       200},
      {"as given", {.kernel_name = "regex:gemm", .launch_count = 7}, {}, {}},
      {"of ranges, which are not counted",
       {.replay_mode = "range", .nvtx_include = {"decode/"}, .kernel_name = "gemm"},
       {},
       {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::vector<NcuAttempt> attempts = AttemptsOf(c.options, /*passes=*/10);
    EXPECT_EQ(attempts.front().options.sampled_launches, c.first);
    EXPECT_EQ(attempts.back().options.sampled_launches, c.last);
    EXPECT_EQ(attempts.back().options.launch_count, c.options.launch_count);
  }
}

}  // namespace
}  // namespace ridgeline::stages
