#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/commands.h"

namespace ridgeline::app {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(OldCommands, AreRunWithTheirStagesOnAndTheOthersOff) {
  struct Case {
    const char* program;
    std::vector<std::string> on;
    const char* notice;
  };
  const Case cases[] = {
      {"llm_profile_runner",
       {"torch_profiler"},
       "llm_profile_runner is deprecated; it runs static_analysis (as configured) and "
       "torch_profiler: type `ridgeline run pipeline.torch_profiler.enable=true "},
      {"./bin/deep_profile_runner", {"nsys", "ncu"}, "it runs nsys and ncu: type "},
      {"/usr/bin/direct_inference_runner.py",
       {"direct_inference"},
       "it runs direct_inference: type "},
      {"profile_orchestrator",
       {},
       "it runs the stages that the configuration enables: type `ridgeline run ARGS` "
       "(ARGS: your arguments)"},
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
  EXPECT_THAT(command->notice, HasSubstr("pipeline.torch_profiler.enabled=false`"));
}

// Under any name of its key, the user's switch of a stage replaces that of the runner.
TEST(OldCommands, SwitchesOfTheUserWin) {
  struct Case {
    const char* program;
    const char* given;
    const char* not_added;  // Key that the runner must leave to the user.
    const char* runs;
  };
  const Case cases[] = {
      {"llm_profile_runner", "analysis.static.enabled=false",
       "pipeline.static_analysis.enable", "it runs torch_profiler: "},
      {"llm_profile_runner", "runners.analysis.static.enabled=false",
       "pipeline.static_analysis.enable", "it runs torch_profiler: "},
      {"llm_profile_runner", "runners=stage1.no-static",
       "pipeline.static_analysis.enable", "it runs torch_profiler: "},
      {"deep_profile_runner", "ncu.enable=false", "pipeline.ncu.enable",
       "it runs nsys: "},
      {"deep_profile_runner", "pipeline.nsys.enable=false", "pipeline.nsys.enable=true",
       "it runs ncu: "},
      {"direct_inference_runner", "pipeline.nsys.enable=true",
       "pipeline.nsys.enable=false", "it runs direct_inference and nsys: "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.given);
    const std::vector<std::string> given = {c.given};
    const auto command = ReadOldCommand(c.program, given);
    ASSERT_TRUE(command.has_value());
    EXPECT_THAT(command->arguments, Contains(c.given));
    EXPECT_THAT(command->arguments, Not(Contains(StartsWith(c.not_added))));
    EXPECT_THAT(command->notice, HasSubstr(c.runs));
  }
}

struct SpelledSwitch {
  const char* program;
  std::vector<std::string> given;
  std::vector<std::string> want;  // Last arguments of `ridgeline run`.
  const char* notice;
};

// +key, ++key, ~key, mappings.
TEST(OldCommands, SwitchesOfTheUserWinHoweverTheyAreSpelled) {
  const SpelledSwitch cases[] = {
      {"llm_profile_runner",
       {"++pipeline.torch_profiler.enable=false",
        "pipeline.static_analysis.enable=false"},
       {"pipeline.torch_profiler.enabled=false", "pipeline.static_analysis.enable=false"},
       "it runs torch_profiler: type `ridgeline run "
       "pipeline.torch_profiler.enable=true pipeline.direct_inference.enable=false "
       "pipeline.nsys.enable=false pipeline.ncu.enable=false ARGS "
       "pipeline.torch_profiler.enable=true pipeline.torch_profiler.enabled=false` "
       "(ARGS: "
       "your arguments)"},
      {"llm_profile_runner",
       {"+torch_profiler.enable=FALSE"},
       {"pipeline.torch_profiler.enabled=false"},
       "it runs static_analysis (as configured) and torch_profiler: "},
      {"llm_profile_runner",
       {"pipeline.torch_profiler={enable: false, with_stack: true}", "--", "p", "a=b"},
       {"pipeline.torch_profiler={enable: false, with_stack: true}",
        "pipeline.torch_profiler.enable=true", "pipeline.torch_profiler.enabled=false",
        "--", "p", "a=b"},
       "it runs static_analysis (as configured) and torch_profiler: "},
      {"llm_profile_runner",
       {"pipeline.torch_profiler.enable=no"},
       {"pipeline.torch_profiler.enable=no"},
       "it runs static_analysis (as configured): "},
      {"llm_profile_runner",
       {"~pipeline.torch_profiler.enable"},
       {"~pipeline.torch_profiler.enable"},
       "it runs static_analysis (as configured) and torch_profiler (as configured): "},
      {"deep_profile_runner",
       {"++pipeline.ncu.enable=false"},
       {"++pipeline.ncu.enable=false"},
       "it runs nsys: "},
      {"deep_profile_runner",
       {"~pipeline.ncu.enable"},
       {"~pipeline.ncu.enable"},
       "it runs nsys: "},
      {"deep_profile_runner",
       {"pipeline={nsys: {enable: false}}"},
       {"pipeline={nsys: {enable: false}}"},
       "it runs ncu: "},
      {"deep_profile_runner",
       {"+ncu={enable: false}"},
       {"+ncu={enable: false}"},
       "it runs nsys: "},
  };
  for (const SpelledSwitch& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.given));
    const auto command = ReadOldCommand(c.program, c.given);
    ASSERT_TRUE(command.has_value());
    const std::vector<std::string>& all = command->arguments;
    ASSERT_GE(all.size(), c.want.size());
    EXPECT_EQ(std::vector<std::string>(all.end() - std::ssize(c.want), all.end()),
              c.want);
    EXPECT_THAT(command->notice, HasSubstr(c.notice));
  }
}

TEST(OldCommands, AreSilentIfAsked) {
  const std::vector<std::string> quiet = {"-q", "device=cpu"};
  EXPECT_EQ(ReadOldCommand("deep_profile_runner", quiet)->notice, "");
  const std::vector<std::string> other = {"--", "program", "-q"};
  EXPECT_NE(ReadOldCommand("deep_profile_runner", other)->notice, "");
}

TEST(OldCommands, TheRecorderIsSwitchedByItsEarlierKeyToo) {
  const std::vector<std::string> given = {"torch_profiler.enable=false"};
  const auto command = ReadOldCommand("llm_profile_runner", given);
  ASSERT_TRUE(command.has_value());
  EXPECT_THAT(command->arguments, Contains("pipeline.torch_profiler.enabled=false"));
  EXPECT_THAT(command->arguments, Contains("pipeline.torch_profiler.enable=true"));
}

}  // namespace
}  // namespace ridgeline::app
