#include <gtest/gtest.h>

#include "app/commands.h"

namespace ridgeline::app {
namespace {

TEST(OldRunnersTest, AreRunWithTheirStagesOnAndTheOthersOff) {
  struct Case {
    const char* program;
    std::vector<std::string> on;
  };
  const Case cases[] = {
      {"llm_profile_runner", {"static_analysis", "torch_profiler"}},
      {"./bin/deep_profile_runner", {"nsys", "ncu"}},
      {"/usr/bin/direct_inference_runner", {"direct_inference"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.program);
    const std::vector<std::string> given = {"device=cpu"};
    const auto arguments = ArgumentsOfOldRunner(c.program, given);
    ASSERT_TRUE(arguments.has_value());
    EXPECT_EQ(arguments->back(), "device=cpu");  // What the user says wins.
    std::vector<std::string> on;
    for (const std::string& argument : *arguments) {
      const std::string_view beginning = "pipeline.";
      const std::string_view end = ".enable=true";
      if (!argument.ends_with(end)) continue;
      on.push_back(argument.substr(beginning.size(),
                                   argument.size() - beginning.size() - end.size()));
    }
    EXPECT_EQ(on, c.on);
  }
  EXPECT_FALSE(ArgumentsOfOldRunner("/usr/bin/ridgeline", {}).has_value());
}

}  // namespace
}  // namespace ridgeline::app
