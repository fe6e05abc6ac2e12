#include "model_io/tokenizers/bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::tokenizers {
namespace {

using ::testing::ElementsAre;
using Pair = std::pair<std::string, std::string>;

// Single letters a, b, c... have the ids 0, 1, 2...; each merge makes the next id.
struct Model {
  explicit Model(std::string_view letters, const std::vector<Pair>& pairs) {
    for (const char letter : letters) Add(std::string(1, letter));
    for (const auto& [left, right] : pairs) {
      if (!vocabulary.IdOf(left + right)) Add(left + right);
      merges.Set(*vocabulary.IdOf(left), *vocabulary.IdOf(right),
                 {.rank = rank++, .id = *vocabulary.IdOf(left + right)});
    }
  }

  void Add(const std::string& token) {
    const auto id = static_cast<int64_t>(vocabulary.size());
    EXPECT_TRUE(vocabulary.Add(token, id, TokenOrigin::kModel).ok());
  }

  Vocabulary vocabulary;
  MergeTable merges;
  uint32_t rank = 0;
};

std::vector<std::string> Tokens(const Model& model, std::string_view piece,
                                WholePieces whole_pieces = WholePieces::kMerge) {
  const Bpe bpe(model.vocabulary, model.merges, whole_pieces);
  BpeScratch scratch;
  std::vector<int32_t> ids;
  bpe.Encode(piece, scratch, ids);
  std::vector<int32_t> again;
  bpe.Encode(piece, scratch, again);  // From the cache.
  EXPECT_EQ(again, ids);
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const int32_t id : ids) tokens.emplace_back(*model.vocabulary.TokenOf(id));
  return tokens;
}

TEST(BpeTest, MergesTheLowestRankLeftmostFirst) {
  const Model model("abc", {{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"a", "a"}});
  EXPECT_THAT(Tokens(model, "abc"), ElementsAre("abc"));
  EXPECT_THAT(Tokens(model, "abab"), ElementsAre("ab", "ab"));
  EXPECT_THAT(Tokens(model, "aaa"), ElementsAre("aa", "a"));
  EXPECT_THAT(Tokens(model, "aabc"), ElementsAre("a", "abc"));
  EXPECT_THAT(Tokens(model, "c"), ElementsAre("c"));
  EXPECT_TRUE(Tokens(model, "").empty());
}

TEST(BpeTest, LeavesOutBytesWithoutAToken) {
  const Model model("ab", {{"a", "b"}});
  EXPECT_THAT(Tokens(model, "a?b"), ElementsAre("ab"));
  EXPECT_TRUE(Tokens(model, "???").empty());
}

TEST(BpeTest, TakesAWholePieceIfAsked) {
  Model model("ab ", {{"a", "a"}});
  model.Add("Ġaab");
  model.Add("Ġ");
  EXPECT_THAT(Tokens(model, " aab"), ElementsAre("Ġ", "aa", "b"));
  EXPECT_THAT(Tokens(model, " aab", WholePieces::kTakeIfTokens), ElementsAre("Ġaab"));
  EXPECT_THAT(Tokens(model, "aab", WholePieces::kTakeIfTokens), ElementsAre("aa", "b"));
}

TEST(BpeTest, APairThatComesAgainHasItsLaterRank) {
  const Model model("abc", {{"a", "b"}, {"b", "c"}, {"a", "b"}});
  EXPECT_THAT(Tokens(model, "abc"), ElementsAre("a", "bc"));
}

// Reference implementation: find the best pair, merge it, repeat.
std::vector<std::string> PlainTokens(const std::vector<Pair>& pairs,
                                     std::string_view piece) {
  std::vector<std::string> tokens;
  for (const char letter : piece) tokens.emplace_back(1, letter);
  while (true) {
    size_t best_rank = pairs.size();
    size_t best = 0;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      const auto found =
          std::find(pairs.begin(), pairs.end(), Pair(tokens[i], tokens[i + 1]));
      const auto rank = static_cast<size_t>(found - pairs.begin());
      if (rank >= best_rank) continue;
      best_rank = rank;
      best = i;
    }
    if (best_rank == pairs.size()) return tokens;
    tokens[best] += tokens[best + 1];
    tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(best) + 1);
  }
}

TEST(BpeTest, MergesShortAndLongPiecesAlike) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same pieces each time.
  const std::string letters = "abc";
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> known = {"a", "b", "c"};
    std::vector<Pair> pairs;
    while (pairs.size() < 12) {
      Pair pair(known[random() % known.size()], known[random() % known.size()]);
      if (std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) continue;
      known.push_back(pair.first + pair.second);
      pairs.push_back(std::move(pair));
    }
    const Model model(letters, pairs);
    for (const size_t size : {2UL, 9UL, 33UL, 64UL, 65UL, 200UL}) {
      std::string piece;
      while (piece.size() < size) piece += letters[random() % letters.size()];
      EXPECT_EQ(Tokens(model, piece), PlainTokens(pairs, piece)) << piece;
    }
  }
}

TEST(BpeTest, RemembersTheRightPieces) {
  const Model model("abcdefghijklmnopqrstuvwxyz", {{"a", "b"}, {"ab", "c"}});
  const Bpe bpe(model.vocabulary, model.merges, WholePieces::kMerge);
  BpeScratch scratch;
  // More pieces than the cache has slots, twice, so that many are replaced.
  for (int round = 0; round < 2; ++round) {
    for (int number = 0; number < 40'000; ++number) {
      std::string piece;
      for (int rest = number; rest > 0; rest /= 26) {
        piece += static_cast<char>('a' + rest % 26);
      }
      std::vector<int32_t> ids;
      bpe.Encode(piece, scratch, ids);
      std::string text;
      for (const int32_t id : ids) text += *model.vocabulary.TokenOf(id);
      ASSERT_EQ(text, piece);
    }
  }
}

TEST(BpeTest, MergesAVeryLongPieceInGoodTime) {
  const Model model("a", {{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}});
  EXPECT_EQ(Tokens(model, std::string(1 << 16, 'a')).size(), (1U << 16) / 8);
}

}  // namespace
}  // namespace ridgeline::tokenizers
