#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/commands.h"

namespace ridgeline::app {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(OldCommands, AreRunWithTheirStagesOnAndTheOthersOff) {
  struct Case {
    const char* program;
    std::vector<std::string> on;
    const char* notice;
  };
  const Case cases[] = {
      {"llm_profile_runner",
       {"static_analysis", "torch_profiler"},
       "llm_profile_runner is deprecated; it runs static_analysis and torch_profiler: "
       "type `ridgeline run pipeline.static_analysis.enable=true "},
      {"./bin/deep_profile_runner", {"nsys", "ncu"}, "it runs nsys and ncu: type "},
      {"/usr/bin/direct_inference_runner.py",
       {"direct_inference"},
       "it runs direct_inference: type "},
      {"profile_orchestrator",
       {},
       "it runs the stages that the configuration enables: type `ridgeline run`"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.program);
    const std::vector<std::string> given = {"device=cpu"};
    const auto command = ReadOldCommand(c.program, given);
    ASSERT_TRUE(command.has_value());
    EXPECT_THAT(command->notice, HasSubstr(c.notice));
    EXPECT_EQ(command->arguments.back(), "device=cpu");  // The user's override wins.
    std::vector<std::string> on;
    for (const std::string& argument : command->arguments) {
      const std::string_view beginning = "pipeline.";
      const std::string_view end = ".enable=true";
      if (!argument.ends_with(end)) continue;
      on.push_back(argument.substr(beginning.size(),
                                   argument.size() - beginning.size() - end.size()));
    }
    EXPECT_EQ(on, c.on);
  }
  EXPECT_FALSE(ReadOldCommand("/usr/bin/ridgeline", {}).has_value());
}

TEST(OldCommands, TheKernelScriptKeepsItsFlags) {
  const std::vector<std::string> given = {"--kernel-regex", "gemm", "--", "./bench"};
  for (const char* name : {"ncu-profile-kernels", "ncu-profile-kernels.sh",
                           "scripts/ncu/release/ncu-profile-kernels.py"}) {
    const auto command = ReadOldCommand(name, given);
    ASSERT_TRUE(command.has_value()) << name;
    EXPECT_EQ(command->arguments, given);
    EXPECT_THAT(command->notice, HasSubstr("`ridgeline ncu-kernels`"));
  }
}

// It always read the pages; `enable` switched the recorder.
TEST(OldCommands, TheFirstRunnerReadsThePagesWithoutTheRecorder) {
  const std::vector<std::string> given = {"pipeline.torch_profiler.enable=false"};
  const auto command = ReadOldCommand("llm_profile_runner", given);
  ASSERT_TRUE(command.has_value());
  EXPECT_THAT(command->arguments, Contains("pipeline.torch_profiler.enabled=false"));
  EXPECT_THAT(command->arguments, Contains("pipeline.torch_profiler.enable=true"));
}

}  // namespace
}  // namespace ridgeline::app
