#include "config/overrides/basic_sweeper.h"

#include <gtest/gtest.h>

namespace ridgeline::config {
namespace {

// "a=1 b=2 | a=1 b=3 || ...": jobs separated by '|', batches by '||'.
std::string Jobs(const BasicSweep& sweep, const std::vector<std::string>& overrides) {
  const auto batches = ExpandSweepJobs(sweep, overrides);
  if (!batches.ok()) return "error: " + batches.error().message;
  std::string text;
  for (const JobBatch& batch : batches.value()) {
    text += "(";
    for (size_t i = 0; i < batch.size(); ++i) {
      text += i == 0 ? "" : " | ";
      for (size_t k = 0; k < batch[i].size(); ++k)
        text += (k == 0 ? "" : " ") + batch[i][k];
    }
    text += ")";
  }
  return text;
}

TEST(BasicSweeper, MakesTheProductOfAllSweeps) {
  struct Case {
    const char* what;
    std::vector<std::string> overrides;
    const char* want;
  } cases[] = {
      {"nothing is one job", {}, "()"},
      {"the last varies fastest",
       {"a=1,2", "b=x,y"},
       "(a=1 b=x | a=1 b=y | a=2 b=x | a=2 b=y)"},
      {"values are rendered anew", {"a=true", "b=x y", "~c"}, "(a=True b=x\\ y ~c=null)"},
      {"first place, last value", {"a=1", "b=2", "a=3,4"}, "(a=3 b=2 | a=4 b=2)"},
      {"prefixes make different keys", {"a=1", "+a=2", "++a=3"}, "(a=1 +a=2 ++a=3)"},
      {"an empty sweep has no jobs", {"a=1,2", "b=range(0)"}, "()"},
      {"intervals are not for us",
       {"a=interval(0,1)"},
       "error: BasicSweeper does not support sweep type : INTERVAL_SWEEP"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Jobs({}, c.overrides), c.want);
  }
}

TEST(BasicSweeper, PutsParamsBeforeTheCommandLine) {
  BasicSweep sweep;
  sweep.params = {{"a", "1,2"}, {"b", "x"}};
  EXPECT_EQ(Jobs(sweep, {"b=y", "c=z"}), "(a=1 b=y c=z | a=2 b=y c=z)");
}

TEST(BasicSweeper, CutsBatches) {
  BasicSweep sweep;
  sweep.max_batch_size = Integer(2);
  EXPECT_EQ(Jobs(sweep, {"a=1,2,3"}), "(a=1 | a=2)(a=3)");
  EXPECT_EQ(Jobs(sweep, {"a=range(0)"}), "");
  sweep.max_batch_size = Integer(0);
  const auto batches = ExpandSweepJobs(sweep, {});
  ASSERT_FALSE(batches.ok());
  EXPECT_EQ(batches.error().kind, ErrorKind::kAssertion);
}

TEST(BasicSweeper, AsksForTheOptionsOfAGroup) {
  BasicSweep sweep;
  sweep.group_options = [](const std::string&) {
    return Result<std::vector<std::string>>({"lite", "my"});
  };
  EXPECT_EQ(Jobs(sweep, {"db@x=glob(*)"}), "(db@x=lite | db@x=my)");
}

TEST(BasicSweeper, RefusesAnExplosion) {
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{"a=range(2000)", "b=range(2000)"},
        std::vector<std::string>{"a=range(0,inf)"},
        std::vector<std::string>{"a=range(600000)", "b=range(600000)"}}) {
    SCOPED_TRACE(overrides[0]);
    const auto batches = ExpandSweepJobs({}, overrides);
    ASSERT_FALSE(batches.ok());
    EXPECT_EQ(batches.error().kind, ErrorKind::kLimit);
  }
}

TEST(BasicSweeper, PassesParseErrorsOn) {
  EXPECT_EQ(ExpandSweepJobs({}, std::vector<std::string>{"a=[", "b=1"}).error().kind,
            ErrorKind::kOverrideParse);
}

}  // namespace
}  // namespace ridgeline::config
