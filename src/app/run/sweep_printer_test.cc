#include <gtest/gtest.h>

#include "app/run/sweep_plan.h"

namespace ridgeline::app {
namespace {

using artifacts::State;

TEST(SweepTableTest, SaysWhichJobsFailedAndWhy) {
  SweepPlan plan;
  plan.jobs = {{.number = 0, .overrides = "run.repeats=1"},
               {.number = 1, .overrides = "run.repeats=2 device=cpu"},
               {.number = 2, .overrides = "run.repeats=3"}};
  const std::vector<JobOutcome> ends = {
      {.state = State::kDone, .exit_code = 0, .wall_s = 1.25, .reason = ""},
      {.state = State::kFailed,
       .exit_code = 1,
       .wall_s = 130,
       .reason = "1 of 2 stages failed"},
      {.state = State::kPending}};
  EXPECT_EQ(SweepTable(plan, ends),
            " job  state              time  overrides                 reason\n"
            "   0  done              1.2 s  run.repeats=1\n"
            "   1  failed       2 min 10 s  run.repeats=2 device=cpu  1 of 2 stages "
            "failed\n"
            "   2  not started           -  run.repeats=3\n"
            "1 done, 1 failed, 1 not started\n");
}

}  // namespace
}  // namespace ridgeline::app
