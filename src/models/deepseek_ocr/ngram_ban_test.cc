#include "models/deepseek_ocr/ngram_ban.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace ridgeline::models::deepseek_ocr {
namespace {

std::set<int64_t> BannedAfter(int64_t size, const std::vector<int64_t>& tokens) {
  NgramBan ban(size);
  for (const int64_t token : tokens) ban.Append(token);
  const std::vector<int64_t>& banned = ban.Banned();
  return {banned.begin(), banned.end()};
}

// Literal implementation of the definition.
std::set<int64_t> BannedByDefinition(int64_t size, const std::vector<int64_t>& tokens) {
  std::set<int64_t> banned;
  const int64_t count = static_cast<int64_t>(tokens.size());
  if (size <= 0 || count + 1 < size) return banned;
  for (int64_t start = 0; start + size <= count; ++start) {
    bool same = true;
    for (int64_t i = 0; i < size - 1; ++i) {
      same = same && tokens[static_cast<size_t>(start + i)] ==
                         tokens[static_cast<size_t>(count - size + 1 + i)];
    }
    if (same) banned.insert(tokens[static_cast<size_t>(start + size - 1)]);
  }
  return banned;
}

TEST(NgramBanTest, BansWhatWouldRepeatARun) {
  struct Case {
    int64_t size;
    std::vector<int64_t> tokens;
    std::set<int64_t> want;
  };
  const Case cases[] = {
      {0, {1, 2, 1, 2}, {}},
      {1, {2}, {2}},
      {1, {2, 3}, {2, 3}},
      {2, {1, 2, 1}, {2}},
      {3, {1, 2}, {}},
      {3, {1, 2, 3, 1, 2}, {3}},
      {3, {1, 2, 3, 1, 2, 4, 1, 2}, {3, 4}},
      {20, {}, {}},
  };
  for (const Case& c : cases) EXPECT_EQ(BannedAfter(c.size, c.tokens), c.want);
}

TEST(NgramBanTest, EqualsTheDefinitionOnRandomSequences) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const int64_t size = static_cast<int64_t>(random() % 6);
    std::vector<int64_t> tokens(random() % 40);
    for (int64_t& token : tokens) token = static_cast<int64_t>(random() % 4);
    EXPECT_EQ(BannedAfter(size, tokens), BannedByDefinition(size, tokens));
  }
}

TEST(NgramBanTest, EqualsTheRecordedAnswers) {
  const char* given = std::getenv("RIDGELINE_SHARED");
  const std::string shared =
      given != nullptr ? given : std::string(RIDGELINE_SOURCE_DIR) + "/../shared";
  std::ifstream file(shared + "/golden/deepseek_ocr/golden/no_repeat_ngram.json");
  if (!file) GTEST_SKIP() << "no golden data in " << shared;
  for (const auto& entry : nlohmann::json::parse(file)) {
    EXPECT_EQ(BannedAfter(entry.at("n"), entry.at("seq")),
              entry.at("banned").get<std::set<int64_t>>());
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
