#include "inference/arguments.h"

#include <gtest/gtest.h>

namespace ridgeline::inference {
namespace {

using Words = std::vector<std::string>;

TEST(ArgumentsTest, NameATaskAFileAndADirectory) {
  struct Case {
    const char* what;
    Words words;
    Task task;
  };
  const Case cases[] = {
      {"run", {"run", "--config", "c", "--output", "o"}, Task::kRun},
      {"in any order",
       {"run", "--output", "o", "--representative", "--config", "c"},
       Task::kRepresentative},
      {"resumed", {"run", "--resume", "--config", "c", "--output", "o"}, Task::kRun},
      {"profile", {"profile", "--config", "c", "--output", "o"}, Task::kProfile},
      {"count", {"count", "--config", "c", "--output", "o"}, Task::kCount},
      {"measure", {"measure", "--config", "c", "--output", "o"}, Task::kMeasure},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Arguments> arguments = ParseArguments(c.words);
    ASSERT_TRUE(arguments.ok()) << arguments.error().message();
    EXPECT_EQ(arguments.value().task, c.task);
    EXPECT_EQ(arguments.value().config_file, "c");
    EXPECT_EQ(arguments.value().output_directory, "o");
    EXPECT_EQ(arguments.value().resume, c.words[1] == "--resume");
  }
}

TEST(ArgumentsTest, ExplainWhatIsWrong) {
  struct Case {
    Words words;
    const char* message;
  };
  const Case cases[] = {
      {{}, "a task is missing"},
      {{"rnu"},
       "unknown task 'rnu': expected run, profile, count, measure; did you mean 'run'?"},
      {{"--config", "c"}, "unknown task '--config'"},
      {{"run"}, "--config FILE is missing"},
      {{"run", "--config", "c"}, "--output DIR is missing"},
      {{"run", "--output"}, "--output needs a value"},
      {{"run", "--confg", "c"},
       "unknown flag '--confg' of run; did you mean '--config'?"},
      {{"count", "--representative"}, "unknown flag '--representative' of count"},
      {{"count", "--resume"}, "unknown flag '--resume' of count"},
      {{"run", "device=cpu"}, "unknown flag 'device=cpu' of run"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const Result<Arguments> arguments = ParseArguments(c.words);
    ASSERT_FALSE(arguments.ok());
    EXPECT_EQ(arguments.error().code(), ErrorCode::kConfig);
    EXPECT_TRUE(arguments.error().message().starts_with(c.message))
        << arguments.error().message();
    EXPECT_NE(arguments.error().message().find("--help"), std::string::npos);
  }
}

TEST(ArgumentsTest, HelpWinsAndNamesEveryTask) {
  EXPECT_TRUE(ParseArguments(Words{"--version"}).value().version);
  for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"run", "--help"}}) {
    EXPECT_TRUE(ParseArguments(words).value().help);
  }
  for (const char* word :
       {"run ", "profile ", "count ", "measure ", "--config FILE", "--output DIR",
        "--representative", "--resume", "exit codes"}) {
    EXPECT_NE(Usage().find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace ridgeline::inference
