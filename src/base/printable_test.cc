#include "base/printable.h"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

using namespace std::string_view_literals;

TEST(PrintableTest, ShowsControlCharacters) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  const Case cases[] = {
      {"a\tb\n", "a\tb\n"},
      {"\x1b]0;title\x07", "\\x1b]0;title\\x07"},
      {"over\rwritten", "over\\x0dwritten"},
      {"\0\x7f"sv, "\\x00\\x7f"},
      {"C1 \xc2\x9b 2J", "C1 \\x9b 2J"},
      {"a lone byte \x9b, half of \xc3", "a lone byte \\x9b, half of \\xc3"},
      {"ümläut 漢字 🙂", "ümläut 漢字 🙂"},
  };
  for (const Case& c : cases) EXPECT_EQ(Printable(c.text), c.want);
}

TEST(PrintableTest, FindsTheBeginningOfACharacter) {
  EXPECT_EQ(UnfinishedUtf8(""), 0);
  EXPECT_EQ(UnfinishedUtf8("a"), 0);
  EXPECT_EQ(UnfinishedUtf8("\xc3"), 1);
  EXPECT_EQ(UnfinishedUtf8("a\xf0\x9f\x99"), 3);
  EXPECT_EQ(UnfinishedUtf8("\xf0\x9f\x99\x82"), 0);
  EXPECT_EQ(UnfinishedUtf8("\x82\x82\x82\x82"), 0);
}

}  // namespace
}  // namespace ridgeline
