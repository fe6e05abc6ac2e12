#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

using testing::ElementsAre;

TEST(FieldsTest, FindsTheValueOfAKey) {
  struct Case {
    const char* what;
    const char* text;
    const char* key;
    std::optional<std::string_view> want;
  };
  const Case cases[] = {
      {"blanks around", "a: 1\nMemTotal:   24682416 kB \n", "MemTotal", "24682416 kB"},
      {"tab before the separator", "model name\t: AMD EPYC\n", "model name", "AMD EPYC"},
      {"a longer key is another", "model name\t: AMD\nmodel\t: 17\n", "model", "17"},
      {"no value", "power management:\n", "power management", ""},
      {"no such key", "a: 1\n", "b", std::nullopt},
      {"no line end", "a: 1", "a", "1"},
      {"nothing at all", "", "a", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Field(c.text, c.key), c.want);
  }
}

TEST(FieldsTest, TakesOnlyWholeNumbers) {
  EXPECT_EQ(ParseInteger("-1"), -1);
  EXPECT_EQ(ParseInteger("1ff", 16), 0x1ff);
  for (const char* text : {"", "max", "1 ", " 1", "1.5", "99999999999999999999"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(ParseInteger(text), std::nullopt);
  }
}

TEST(FieldsTest, CountsLists) {
  EXPECT_EQ(CountList("0"), 1);
  EXPECT_EQ(CountList("0-3,8,10-11"), 7);
  for (const char* text : {"", "x", "3-1", "-1", "1,,2", "0-"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(CountList(text), std::nullopt);
  }
}

TEST(FieldsTest, SplitsLinesAndWords) {
  EXPECT_THAT(Lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(Words("  max\t100000 \n"), ElementsAre("max", "100000"));
  EXPECT_TRUE(Words(" \t").empty());
}

}  // namespace
}  // namespace ridgeline::hardware
