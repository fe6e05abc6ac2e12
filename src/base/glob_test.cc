#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline {
namespace {

TEST(GlobMatches, FollowsFnmatch) {
  struct Case {
    const char* pattern;
    const char* text;
    bool want;
  } cases[] = {
      {"*", "", true},          {"*", "abc", true},    {"a*", "ba", false},
      {"*a*b", "xaxbxb", true}, {"a?c", "abc", true},  {"a?c", "ac", false},
      {"?", "\xC3\xA9", true},  {"[a-c]", "b", true},  {"[!a-c]", "b", false},
      {"[!a-c]", "d", true},    {"[a-]", "-", true},   {"[]]", "]", true},
      {"[c-a]", "b", false},    {"[!c-a]", "b", true}, {"[", "[", true},
      {"[a", "[a", true},       {"[!]", "[!]", true},  {"[\\]", "\\", true},
      {"a\nb", "a\nb", true},   {"A", "a", false},     {"[a-c-e]", "-", true},
      {"", "", true},           {"", "a", false},      {"**", "x", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pattern) + " on " + c.text);
    EXPECT_EQ(GlobMatches(c.text, c.pattern), c.want);
  }
}

TEST(GlobMatches, TakesNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(GlobMatches(std::string(2000, 'a') + "b", pattern));
}

}  // namespace
}  // namespace ridgeline
