#include "model_io/tokenizers/regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace ridgeline::tokenizers {
namespace {

using ::testing::HasSubstr;
using Outcome = RegexSearch::Outcome;

Regex Compiled(std::string_view pattern, PatternKind kind = PatternKind::kRegex) {
  Result<Regex> regex = Regex::Compile(pattern, kind);
  EXPECT_TRUE(regex.ok()) << regex.error().message();
  return std::move(regex).value();
}

bool Matches(std::string_view pattern, char32_t code_point) {
  std::string text;
  AppendUtf8(code_point, text);
  RegexScratch scratch;
  return Compiled(pattern).Find(text, 0, scratch).outcome == Outcome::kMatch;
}

TEST(RegexTest, ClassesMeanWhatTheyMeanToOniguruma) {
  struct Case {
    const char* pattern;
    char32_t code_point;
    bool want;
  };
  const Case cases[] = {
      {R"(\s)", 0x0B, true},
      {R"(\s)", 0x85, true},
      {R"(\s)", 0x3000, true},
      {R"(\s)", 0x180E, false},
      {R"(\s)", 0x200B, false},
      {R"(\S)", 0x180E, true},
      {R"([^\S])", 0xA0, true},
      {R"([\S])", 0xA0, false},
      {R"([^\s])", 0x180E, true},
      {R"(\d)", 0x663, true},
      {R"(\d)", 0xBD, false},
      {R"(\p{N})", 0xBD, true},
      {R"(\w)", 0x301, true},
      {R"(\w)", 0x203F, true},
      {R"(\W)", '-', true},
      {R"([\w-])", '-', true},
      {R"(\p{L})", 0x4E00, true},
      {R"(\p{L})", 0x301, false},
      {R"(\p{M})", 0x301, true},
      {R"(\p{P})", '$', false},
      {R"(\p{S})", '$', true},
      {R"(\p{P})", '_', true},
      {R"(\p{^L})", 'a', false},
      {R"(\P{L})", 'a', false},
      {R"(\p{Han})", 0x4E00, true},
      {R"(\p{Han})", 0x3001, false},  // Shared by scripts, so not part of any.
      {R"(\v)", 0x0B, true},
      {R"(\v)", 0x0A, false},
      {R"(\u00e9)", 0xE9, true},
      {R"([]a])", ']', true},
      {R"([^]a])", ']', false},
      {R"((?i:K))", 'k', true},
      {R"(.)", 0x0D, true},
      {R"(.)", 0x0A, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    EXPECT_EQ(Matches(c.pattern, c.code_point), c.want)
        << static_cast<uint32_t>(c.code_point);
  }
}

TEST(RegexTest, FindsTheFirstMatchFromAPlace) {
  const Regex regex = Compiled(R"(\p{N}{1,3})");
  RegexScratch scratch;
  const RegexSearch first = regex.Find("ab12345", 0, scratch);
  EXPECT_EQ(first.begin, 2U);
  EXPECT_EQ(first.end, 5U);
  EXPECT_EQ(regex.Find("ab12345", 5, scratch).end, 7U);
  EXPECT_EQ(regex.Find("ab12345", 7, scratch).outcome, Outcome::kNoMatch);
  EXPECT_EQ(regex.Find({}, 0, scratch).outcome, Outcome::kNoMatch);
}

TEST(RegexTest, TakesALiteralAsItIs) {
  const Regex regex = Compiled("a.[", PatternKind::kLiteral);
  RegexScratch scratch;
  EXPECT_EQ(regex.Find("abc a.[", 0, scratch).begin, 4U);
}

TEST(RegexTest, RefusesWhatItCannotRead) {
  struct Case {
    std::string pattern;
    ErrorCode code;
    const char* want;
  };
  const Case cases[] = {
      {"a(b", ErrorCode::kParse, "pattern 'a(b': missing closing parenthesis"},
      {"[a", ErrorCode::kParse, "pattern '[a': missing terminating ]"},
      {R"(\p{Klingon})", ErrorCode::kParse, "unknown property"},
      {"\\", ErrorCode::kParse, "\\ at end of pattern"},
      {"^a", ErrorCode::kUnsupported, "pattern '^a': ^ is not supported"},
      {R"(a\b)", ErrorCode::kUnsupported, R"(\b is not supported)"},
      {R"(\h)", ErrorCode::kUnsupported, R"(\h is not supported)"},
      {R"(\C)", ErrorCode::kUnsupported, R"(\C is not supported)"},
      {R"(a\Kb)", ErrorCode::kUnsupported, R"(\K is not supported)"},
      {R"(\pL)", ErrorCode::kUnsupported, R"(\p is not supported)"},
      {"[a[b]]", ErrorCode::kUnsupported, "'[' within [...] is not supported"},
      {"[[:alpha:]]", ErrorCode::kUnsupported, "'[' within [...] is not supported"},
      {"[a&&b]", ErrorCode::kUnsupported, "'&&' within [...] is not supported"},
      {"(?m:.)", ErrorCode::kUnsupported, "(?m is not supported"},
      {"(*UTF)a", ErrorCode::kUnsupported, "(*U is not supported"},
      {"(?<n>a)", ErrorCode::kUnsupported, "(?< is not supported"},
      {"a{1,3}+", ErrorCode::kUnsupported, "{1,3}+ is not supported"},
      {"a{3}?", ErrorCode::kUnsupported, "{3}? is not supported"},
      {"a{,3}", ErrorCode::kUnsupported, "{,3} is not supported"},
      {std::string(5000, 'a'), ErrorCode::kUnsupported, "5000 bytes is too long"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern.substr(0, 20));
    const Result<Regex> regex = Regex::Compile(c.pattern, PatternKind::kRegex);
    ASSERT_FALSE(regex.ok());
    EXPECT_EQ(regex.error().code(), c.code);
    EXPECT_THAT(regex.error().message(), HasSubstr(c.want));
  }
}

TEST(RegexTest, GivesUpOnAPatternThatNeedsTooManySteps) {
  const Regex regex = Compiled("(?:(?:a|a)+)+[bc]");
  RegexScratch scratch;
  const std::string text(64, 'a');
  EXPECT_EQ(regex.Find(text, 0, scratch).outcome, Outcome::kGaveUp);
  EXPECT_EQ(regex.Find("aab", 0, scratch).outcome, Outcome::kMatch);
}

// Matching may use memory per letter, but not of the program's stack.
TEST(RegexTest, MatchesOrGivesUpOnLongTexts) {
  const std::string letters(1 << 20, 'a');
  RegexScratch scratch;
  const RegexSearch simple = Compiled(R"(\s*\p{L}+)").Find(letters, 0, scratch);
  EXPECT_EQ(simple.outcome, Outcome::kMatch);
  EXPECT_EQ(simple.end, letters.size());
  const RegexSearch grouped = Compiled("(?:a|b)+c").Find(letters, 0, scratch);
  EXPECT_NE(grouped.outcome, Outcome::kMatch);
}

}  // namespace
}  // namespace ridgeline::tokenizers
