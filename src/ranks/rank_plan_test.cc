#include "ranks/rank_plan.h"

#include <gtest/gtest.h>

namespace ridgeline::ranks {
namespace {

TEST(RankPlanTest, IsReadBackAsItWasWritten) {
  RankPlan plan;
  plan.launcher = Launcher::kSrun;
  plan.status_directory = "/run/tmp/nsys/ranks";
  plan.grace_s = 2.5;
  plan.has_private_temporary = true;
  plan.shared_temporaries = {"nsight-compute-lock"};
  plan.tasks = {{{{"./serve", "a b"}, {{"X", "=\n"}}, "/data"}, "/run/a.log", true},
                {{{"true"}, {}, {}}, "/run/b.log"}};
  const auto read = ParseRankPlan(ToJson(plan), "plan");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), plan);
}

TEST(RankPlanTest, RefusesWhatIsNotAPlan) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"", "p: not a JSON object"},
      {"[]", "p: not a JSON object"},
      {"{}",
       "p: not a plan of version 1; are all hosts running the same version of "
       "ridgeline?"},
      {R"({"schema_version": 1})", "p: no launcher"},
      {R"({"schema_version": 1, "launcher": "srun"})", "p: no ranks"},
      {R"({"schema_version": 1, "launcher": "srun", "ranks": [1]})",
       "p: a rank is not an object"},
      {R"({"schema_version": 1, "launcher": "srun", "ranks": [{"argv": []}]})",
       "p: a rank has no command"},
  };
  for (const auto& c : cases) {
    const auto read = ParseRankPlan(c.text, "p");
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_EQ(read.error().message(), c.message);
  }
}

}  // namespace
}  // namespace ridgeline::ranks
