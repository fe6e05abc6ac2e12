#include <gtest/gtest.h>

#include "app/run/sweep_plan.h"

namespace ridgeline::app {
namespace {

using artifacts::State;
using artifacts::SweepJob;

TEST(SweepTableTest, SaysWhichJobsFailedAndWhy) {
  std::vector<SweepJob> jobs(3);
  jobs[0] = {.number = 0,
             .overrides = {"run.repeats=1"},
             .state = State::kDone,
             .exit_code = 0,
             .wall_s = 1.25};
  jobs[1] = {.number = 1,
             .overrides = {"run.repeats=2", "device=cpu"},
             .state = State::kFailed,
             .reason = "1 of 2 stages failed",
             .exit_code = 1,
             .wall_s = 130};
  jobs[2] = {.number = 2, .overrides = {"run.repeats=3"}};
  EXPECT_EQ(SweepTable(jobs),
            " job  state              time  overrides                 reason\n"
            "   0  done              1.2 s  run.repeats=1\n"
            "   1  failed       2 min 10 s  run.repeats=2 device=cpu  1 of 2 stages "
            "failed\n"
            "   2  pending               -  run.repeats=3\n"
            "1 done, 1 failed, 1 pending\n");
}

TEST(SweepTableTest, ShowsNodesAndTriesOfJobsInSlurm) {
  std::vector<SweepJob> jobs(2);
  jobs[0] = {.number = 0,
             .overrides = {"a=1"},
             .state = State::kFailed,
             .outcome = "Timeout",
             .reason = "time limit reached",
             .wall_s = 60,
             .attempts = 2,
             .host = "n1",
             .slurm_id = "7_0"};
  jobs[1] = {.number = 1, .overrides = {"a=2"}, .reason = "Resources", .slurm_id = "7_1"};
  EXPECT_EQ(SweepTable(jobs),
            " job  state              time  tries  node  overrides  reason\n"
            "   0  failed           60.0 s      2  n1    a=1        Timeout: time limit "
            "reached\n"
            "   1  pending               -      0  -     a=2        Resources\n"
            "1 failed, 1 pending\n");
}

}  // namespace
}  // namespace ridgeline::app
