#include "model_io/tokenizers/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model_io/tokenizers/byte_alphabet.h"

namespace ridgeline::tokenizers {
namespace {

using ::testing::HasSubstr;

TEST(VocabularyTest, FindsBothWaysAcrossGaps) {
  Vocabulary vocabulary;
  constexpr int32_t kCount = 5000;  // Makes the table grow several times.
  for (int32_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(
        vocabulary.Add("t" + std::to_string(i), int64_t{2} * i, TokenOrigin::kModel)
            .ok());
  }
  EXPECT_EQ(vocabulary.size(), kCount);
  for (int32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(vocabulary.IdOf("t" + std::to_string(i)), 2 * i);
    EXPECT_EQ(vocabulary.TokenOf(2 * i), "t" + std::to_string(i));
    EXPECT_EQ(vocabulary.TokenOf(2 * i + 1), std::nullopt);
  }
  EXPECT_EQ(vocabulary.IdOf("t5000"), std::nullopt);
  EXPECT_EQ(vocabulary.TokenOf(-1), std::nullopt);
  EXPECT_FALSE(vocabulary.IsSpecial(-1));
}

TEST(VocabularyTest, FindsNothingWhenEmpty) {
  const Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.IdOf(""), std::nullopt);
  EXPECT_EQ(vocabulary.TokenOf(0), std::nullopt);
}

TEST(VocabularyTest, AnAddedTokenMayBeOneOfTheModel) {
  Vocabulary vocabulary;
  ASSERT_TRUE(vocabulary.Add("<s>", 0, TokenOrigin::kModel).ok());
  ASSERT_TRUE(vocabulary.Add("<s>", 0, TokenOrigin::kSpecial).ok());
  ASSERT_TRUE(vocabulary.Add("<td>", 1, TokenOrigin::kAdded).ok());
  EXPECT_EQ(vocabulary.size(), 2U);
  EXPECT_TRUE(vocabulary.IsSpecial(0));
  EXPECT_FALSE(vocabulary.IsSpecial(1));
  EXPECT_EQ(vocabulary.IdInModel("<s>"), 0);
  EXPECT_EQ(vocabulary.IdOf("<td>"), 1);
  EXPECT_EQ(vocabulary.IdInModel("<td>"), std::nullopt);
}

TEST(VocabularyTest, RefusesWhatContradictsItself) {
  struct Case {
    const char* what;
    const char* token;
    int64_t id;
    const char* want;
  };
  const Case cases[] = {
      {"an id that is taken", "b", 0, "tokens 'a' and 'b' have the same id 0"},
      {"a token with two ids", "a", 1, "token 'a' has the ids 0 and 1"},
      {"a token that comes twice", "a", 0, "duplicate token 'a'"},
      {"a negative id", "b", -1, "id -1 is not in 0..1048575"},
      {"an id that needs a huge table", "b", kIdLimit, "id 1048576 is not in"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Vocabulary vocabulary;
    ASSERT_TRUE(vocabulary.Add("a", 0, TokenOrigin::kModel).ok());
    const Status added = vocabulary.Add(c.token, c.id, TokenOrigin::kModel);
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().code(), ErrorCode::kParse);
    EXPECT_THAT(added.error().message(), HasSubstr(c.want));
  }
}

TEST(ByteAlphabetTest, SpellsEachByteAndBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  std::string spelled;
  AppendSpelling(all, spelled);
  std::string back;
  AppendBytesOfSpelling(spelled, back);
  EXPECT_EQ(back, all);
  EXPECT_EQ(SpellingOfByte(' '), "Ġ");
  EXPECT_EQ(SpellingOfByte('\n'), "Ċ");
  EXPECT_EQ(SpellingOfByte('A'), "A");
  EXPECT_EQ(SpellingOfByte(0xAD), "\u0143");  // The last of the moved bytes.
}

TEST(ByteAlphabetTest, ATokenOfOtherCharactersSpellsItself) {
  std::string bytes = "x";
  AppendBytesOfSpelling("<｜a b｜>", bytes);
  EXPECT_EQ(bytes, "x<｜a b｜>");
}

}  // namespace
}  // namespace ridgeline::tokenizers
