#include "model_io/tokenizers/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "model_io/tokenizers/byte_alphabet.h"

namespace ridgeline::tokenizers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Every byte is a token with the same number; "he" is 256, "Ġhe" 257; 258 is missing.
std::string SmallJson() {
  std::string vocab;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string_view spelling = SpellingOfByte(static_cast<uint8_t>(byte));
    const bool is_escaped = spelling == "\"" || spelling == "\\";
    vocab += (is_escaped ? "\"\\" : "\"") + std::string(spelling) +
             "\": " + std::to_string(byte) + ", ";
  }
  return R"({"added_tokens": [
      {"id": 259, "content": "<s>", "special": true},
      {"id": 260, "content": "<td>"}, {"id": 261, "content": "<a b>"}],
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}},
                 {"SpecialToken": {"id": "<s>"}}],
      "special_tokens": {"<s>": {"id": "<s>", "ids": [259, 259]}}},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {)" +
         vocab + R"("he": 256, "Ġhe": 257}, "merges": ["h e", "Ġ he"]}})";
}

Tokenizer Small() {
  Result<Tokenizer> tokenizer = Tokenizer::Parse(SmallJson(), "small.json");
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.error().message();
  return std::move(tokenizer).value();
}

TEST(TokenizerTest, EncodesAndDecodes) {
  const Tokenizer tokenizer = Small();
  EXPECT_THAT(tokenizer.Encode("he he<td>he"), ElementsAre(256, 257, 260, 256));
  EXPECT_THAT(tokenizer.Encode("hé"), ElementsAre('h', 0xC3, 0xA9));
  EXPECT_TRUE(tokenizer.Encode("").empty());
  for (const char* text : {"", "he", " the\n\n\t<td>é 中 \U0001F600<a b><s>"}) {
    EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text)), text);
  }
}

TEST(TokenizerTest, AddsSpecialTokensOnlyWhenAsked) {
  const Tokenizer tokenizer = Small();
  EXPECT_THAT(tokenizer.Encode("he", {.add_special_tokens = true}),
              ElementsAre(259, 259, 256, 259, 259));
  EXPECT_THAT(tokenizer.Encode("", {.add_special_tokens = true}),
              ElementsAre(259, 259, 259, 259));
  EXPECT_THAT(tokenizer.Encode("<s>he"), ElementsAre(259, 256));
}

TEST(TokenizerTest, SkipsOnlySpecialTokensAndIdsThatDoNotExist) {
  const Tokenizer tokenizer = Small();
  const std::vector<int32_t> ids = {259, 256, 258, 260, -5, 1'000'000, 259};
  EXPECT_EQ(tokenizer.Decode(ids), "<s>he<td><s>");
  EXPECT_EQ(tokenizer.Decode(ids, SpecialTokens::kSkip), "he<td>");
}

// As in the tokenizer of DeepSeek-OCR, where they are special.
TEST(TokenizerTest, KeepsTheTagsOfTables) {
  const char* const tokens[] = {"<|ref|>", "<|/det|>", "<\uFF5Cend\u2581of\uFF5C>",
                                "<image>", "<table>",  "</table>",
                                "<tr>",    "<td>",     "</td>"};
  std::string added;
  int id = 256;
  std::vector<int32_t> ids;
  for (const char* const token : tokens) {
    added += (added.empty() ? R"({"id": )" : R"(, {"id": )") + std::to_string(id) +
             R"(, "content": ")" + token + R"(", "special": true})";
    ids.push_back(id++);
  }
  const Result<Tokenizer> tokenizer =
      Tokenizer::Parse(R"({"added_tokens": [)" + added + R"(],
      "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
      "decoder": {"type": "ByteLevel"},
      "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})",
                       "special.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
  EXPECT_EQ(tokenizer.value().Decode(ids, SpecialTokens::kSkip), "");
  EXPECT_EQ(tokenizer.value().Decode(ids, SpecialTokens::kSkipAllButTableTags),
            "<table></table><tr><td></td>");
}

TEST(TokenizerTest, ReplacesWhatIsNotUtf8InBothDirections) {
  const Tokenizer tokenizer = Small();
  EXPECT_EQ(tokenizer.Encode("a\xFFz"), tokenizer.Encode("a\uFFFDz"));
  EXPECT_EQ(tokenizer.Encode("\xE4\xB8"), tokenizer.Encode("\uFFFD"));
  EXPECT_EQ(tokenizer.Decode(std::vector<int32_t>{'a', 0xE4, 0xB8, 'z', 0x80}),
            "a\uFFFDz\uFFFD");
}

TEST(TokenizerTest, KnowsItsTokens) {
  const Tokenizer tokenizer = Small();
  EXPECT_EQ(tokenizer.size(), 261U);
  EXPECT_EQ(tokenizer.IdOf("Ġhe"), 257);
  EXPECT_EQ(tokenizer.IdOf("<td>"), 260);
  EXPECT_EQ(tokenizer.IdOf("nope"), std::nullopt);
  EXPECT_EQ(tokenizer.TokenOf(257), "Ġhe");
  EXPECT_EQ(tokenizer.TokenOf(258), "");
  EXPECT_EQ(tokenizer.TokenOf(-1), "");
}

TEST(TokenizerTest, MayBeMovedAndUsedByManyThreads) {
  Tokenizer first = Small();
  const std::string text = "he said <td>that he would 12 é\n";
  const std::vector<int32_t> want = first.Encode(text);
  const Tokenizer tokenizer = std::move(first);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  threads.reserve(wrong.size());
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) count += tokenizer.Encode(text) == want ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(TokenizerTest, EncodesLongRunsOfOneKind) {
  const Tokenizer tokenizer = Small();
  for (const char* unit : {" ", "a", "7", "-", "\n", " \n", "中", "\U0001F600"}) {
    std::string text;
    while (text.size() < 100'000) text += unit;
    EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text)), text);
  }
}

TEST(TokenizerTest, NamesTheFileInErrors) {
  const auto parsed = Tokenizer::Parse("{}", "a/tokenizer.json");
  ASSERT_FALSE(parsed.ok());
  EXPECT_THAT(parsed.error().message(), HasSubstr("a/tokenizer.json: "));
  const auto loaded = Tokenizer::Load("no/such/tokenizer.json");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(loaded.error().message(), HasSubstr("no/such/tokenizer.json: "));
}

TEST(TokenizerTest, NamesThePatternThatDoesNotCompile) {
  const auto parsed = Tokenizer::Parse(
      R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"},
            {"type": "ByteLevel"}]},
          "decoder": {"type": "ByteLevel"}, "model": {"vocab": {}, "merges": []}})",
      "t.json");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
  EXPECT_THAT(parsed.error().message(), HasSubstr("t.json: pattern '(a': missing"));
}

}  // namespace
}  // namespace ridgeline::tokenizers
