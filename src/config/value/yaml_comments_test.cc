#include "config/value/yaml_comments.h"

#include <gtest/gtest.h>

#include "config/value/yaml_load.h"

namespace ridgeline::config {
namespace {

const std::string kLong = "# " + std::string(80, 'x');

TEST(YamlCommentsTest, CutsCommentsAndNothingElse) {
  const struct {
    const char* what;
    std::string text;
    std::string want;
  } cases[] = {
      {"a line of its own", kLong + "\na: 1\n", "#\na: 1\n"},
      {"behind a value", "a: 1  " + kLong + "\nb: 2", "a: 1  #\nb: 2"},
      {"with indentation", "a:\n  " + kLong + "\n  b: 1\n", "a:\n  #\n  b: 1\n"},
      {"a hash in quotes stays", "a: '# it''s'  " + kLong + "\n", "a: '# it''s'  #\n"},
      {"escapes in quotes", "a: \"\\\" # |\"  " + kLong + "\n", "a: \"\\\" # |\"  #\n"},
      {"a hash inside a word stays", "a: x#y\n" + kLong + "\n", "a: x#y\n#\n"},
      {"quotes inside a comment", "a: 1 # it's " + kLong + "\n", "a: 1 #\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(WithoutCommentText(c.text), c.want);
  }
}

TEST(YamlCommentsTest, LeavesTextsOfSeveralLinesAlone) {
  const struct {
    const char* what;
    std::string text;
  } cases[] = {
      {"a block scalar", "a: |\n  " + kLong + "\n"},
      {"a folded scalar", "a: >-\n  " + kLong + "\n"},
      {"a quoted scalar that goes on", "a: 'x\n  " + kLong + "'\n"},
      {"a quoted scalar that goes on behind an escape",
       "a: \"x\\\"\n  " + kLong + "\"\n"},
      {"a quote inside a plain scalar", "{a: b', c: \"d'}\n" + kLong + "\n"},
      {"another line break", "a: 1\r" + kLong + "\n"},
      {"next to nothing to gain", "# short\na: 1\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(WithoutCommentText(c.text), std::nullopt);
  }
}

TEST(YamlCommentsTest, KeepsLinesAndColumns) {
  const Result<Value> loaded =
      LoadYaml(kLong + "\n\n  " + kLong + "\na: {b: 1} " + kLong, "f");
  ASSERT_TRUE(loaded.ok());
  const Value* a = loaded.value().dict().Find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->line, 4);
  EXPECT_EQ(a->column, 4);
}

}  // namespace
}  // namespace ridgeline::config
