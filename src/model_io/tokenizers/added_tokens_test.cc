#include "model_io/tokenizers/added_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::tokenizers {
namespace {

// "text|#7|text": the text between tokens, and the ids of the tokens.
std::string Split(std::vector<AddedToken> tokens, std::string_view text) {
  const Result<AddedTokens> added = AddedTokens::Make(std::move(tokens));
  EXPECT_TRUE(added.ok()) << added.error().message();
  std::string parts;
  for (const Segment& segment : added.value().Split(text)) {
    if (!parts.empty()) parts += '|';
    parts += segment.id
                 ? "#" + std::to_string(*segment.id)
                 : std::string(text.substr(segment.begin, segment.end - segment.begin));
  }
  return parts;
}

TEST(AddedTokensTest, FindsTheLeftmostAndOfThoseTheLongest) {
  const std::vector<AddedToken> tokens = {
      {.id = 1, .content = "<a>"},   {.id = 2, .content = "<a>b"},
      {.id = 3, .content = "a>bcd"}, {.id = 4, .content = "｜"},
      {.id = 5, .content = ""},      {.id = 6, .content = "<a>bcx"},
  };
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"", ""},
      {"nothing < here>", "nothing < here>"},
      {"<a>", "#1"},
      {"x<a>y", "x|#1|y"},
      {"<a>bcd", "#2|cd"},
      {"<a>bcx", "#6"},
      {"a>bcd", "#3"},
      {"<a><a>b<a", "#1|#2|<a"},
      {"中｜文", "中|#4|文"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Split(tokens, c.text), c.want);
  }
}

TEST(AddedTokensTest, LooksForNormalizedTokensLast) {
  EXPECT_EQ(Split({{.id = 1, .content = "<ab", .is_normalized = true},
                   {.id = 2, .content = "b>"}},
                  "<ab> <ab"),
            "<a|#2| |#1");
}

TEST(AddedTokensTest, TakesWhiteSpaceAlong) {
  const auto token = [](bool left, bool right) {
    return std::vector<AddedToken>{
        {.id = 1, .content = "<m>", .strips_left = left, .strips_right = right}};
  };
  const std::string_view text = "a \u3000<m> \n<m>b";
  EXPECT_EQ(Split(token(false, false), text), "a \u3000|#1| \n|#1|b");
  EXPECT_EQ(Split(token(true, false), text), "a|#1|#1|b");
  EXPECT_EQ(Split(token(false, true), text), "a \u3000|#1|#1|b");
  EXPECT_EQ(Split(token(true, true), text), "a|#1|#1|b");
}

TEST(AddedTokensTest, FindsASingleWordOnlyOutsideOfOthers) {
  const std::vector<AddedToken> tokens = {
      {.id = 1, .content = "ing", .is_single_word = true}};
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"ing", "#1"},        {"an ing.", "an |#1|."},    {"sing", "sing"},
      {"ingot", "ingot"},   {"\u00e9ing", "\u00e9ing"}, {"ing\u0301", "ing\u0301"},
      {"ing_", "ing_"},     {"ing\u200d", "ing\u200d"}, {"ing-ing", "#1|-|#1"},
      {"inging", "inging"}, {"。ing。", "。|#1|。"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Split(tokens, c.text), c.want);
  }
}

TEST(AddedTokensTest, RefusesATokenThatIsTooLong) {
  const auto added = AddedTokens::Make({{.id = 3, .content = std::string(4097, 'a')}});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(added.error().message(), "added token 3 is longer than 4096 bytes");
}

}  // namespace
}  // namespace ridgeline::tokenizers
