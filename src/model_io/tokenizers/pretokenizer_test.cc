#include "model_io/tokenizers/pretokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::tokenizers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Pieces(const PretokenizerSpec& spec, std::string_view text) {
  const Result<Pretokenizer> pretokenizer = Pretokenizer::Make(spec);
  EXPECT_TRUE(pretokenizer.ok()) << pretokenizer.error().message();
  PretokenizerScratch scratch;
  const auto split = pretokenizer.value().Split(text, scratch);
  std::vector<std::string> pieces;
  for (const Piece& piece : split.bounds) {
    pieces.emplace_back(split.text.substr(piece.begin, piece.end - piece.begin));
  }
  return pieces;
}

// Expectations are from Hugging Face's documentation for "the-final--countdown".
TEST(PretokenizerTest, DoesWithMatchesWhatTheBehaviorSays) {
  struct Case {
    const char* what;
    SplitBehavior behavior;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"isolated",
       SplitBehavior::kIsolated,
       {"the", "-", "final", "-", "-", "countdown"}},
      {"removed", SplitBehavior::kRemoved, {"the", "final", "countdown"}},
      {"with previous",
       SplitBehavior::kMergedWithPrevious,
       {"the-", "final-", "-", "countdown"}},
      {"with next", SplitBehavior::kMergedWithNext, {"the", "-final", "-", "-countdown"}},
      {"contiguous",
       SplitBehavior::kContiguous,
       {"the", "-", "final", "--", "countdown"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Pieces({.splits = {{.pattern = "-", .behavior = c.behavior}}},
                     "the-final--countdown"),
              c.want);
  }
}

TEST(PretokenizerTest, InvertsWhatCountsAsAMatch) {
  EXPECT_THAT(Pieces({.splits = {{.pattern = R"(\p{L}+)",
                                  .behavior = SplitBehavior::kRemoved,
                                  .is_inverted = true}}},
                     "ab1cd"),
              ElementsAre("ab", "cd"));
}

TEST(PretokenizerTest, EachSplitSeesOnlyThePieceBeforeIt) {
  // On their own, the spaces before "1" are at the end of their text, so they stay
  // together.
  const PretokenizerSpec spec = {
      .splits = {{.pattern = R"(\p{N}{1,3})"}, {.pattern = R"(\s+(?!\S)|\s+|\S+)"}}};
  EXPECT_THAT(Pieces(spec, "a  1234  b"),
              ElementsAre("a", "  ", "123", "4", " ", " ", "b"));
}

TEST(PretokenizerTest, CutsAtEmptyMatchesBetweenCharacters) {
  EXPECT_THAT(Pieces({.splits = {{.pattern = "x*"}}}, "äöxü"),
              ElementsAre("ä", "ö", "x", "ü"));
  EXPECT_THAT(Pieces({.splits = {{.pattern = "", .kind = PatternKind::kLiteral}}}, "äb"),
              ElementsAre("ä", "b"));
}

TEST(PretokenizerTest, CutsLikeGpt2) {
  const PretokenizerSpec spec = {.splits_like_gpt2 = true};
  EXPECT_THAT(Pieces(spec, "How's  it, 42nd\n\n x"),
              ElementsAre("How", "'s", " ", " it", ",", " 42", "nd", "\n\n", " x"));
  EXPECT_TRUE(Pieces(spec, "").empty());
}

TEST(PretokenizerTest, AddsASpaceToEachPieceThatHasNone) {
  PretokenizerSpec spec = {.adds_prefix_space = true, .splits_like_gpt2 = true};
  EXPECT_THAT(Pieces(spec, "Hey you"), ElementsAre(" Hey", " you"));
  EXPECT_THAT(Pieces(spec, " Hey"), ElementsAre(" Hey"));
  EXPECT_THAT(Pieces(spec, "\nHey"), ElementsAre(" ", "\n", "Hey"));
  EXPECT_TRUE(Pieces(spec, "").empty());
  spec.splits = {{.pattern = R"(\p{N})"}};
  EXPECT_THAT(Pieces(spec, "a12"), ElementsAre(" a", " 1", " 2"));
}

TEST(PretokenizerTest, SaysWhichPatternIsWrong) {
  const auto broken =
      Pretokenizer::Make({.splits = {{.pattern = "a"}, {.pattern = "(b"}}});
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error().message(), HasSubstr("pattern '(b'"));
}

TEST(PretokenizerTest, LeavesUncutWhatAPatternGivesUpOn) {
  const std::string hard(64, 'a');
  EXPECT_THAT(Pieces({.splits = {{.pattern = "(?:(?:a|a)+)+[bc]"}}}, "aab" + hard),
              ElementsAre("aab", hard));
}

}  // namespace
}  // namespace ridgeline::tokenizers
