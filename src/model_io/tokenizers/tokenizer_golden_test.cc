// Compares strings and ids, in both directions, with those recorded with Hugging Face's
// tokenizers 0.23.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model_io/tokenizers/tokenizer.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::tokenizers {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

simdjson::dom::array Rows(element parent, std::string_view key) {
  return parent[key].get_array().value();
}

std::vector<int32_t> Ids(element row, std::string_view key) {
  std::vector<int32_t> ids;
  for (const element id : Rows(row, key)) {
    ids.push_back(static_cast<int32_t>(id.get_int64().value()));
  }
  return ids;
}

std::string Text(element row, std::string_view key) {
  return std::string(row[key].get_string().value());
}

void CheckDecoding(const Tokenizer& tokenizer, element row) {
  const std::vector<int32_t> ids = Ids(row, "ids");
  EXPECT_EQ(tokenizer.Decode(ids), Text(row, "decoded"));
  EXPECT_EQ(tokenizer.Decode(ids, SpecialTokens::kSkip),
            Text(row, "decoded_skip_special"));
}

// {"encode": [{"text", "ids", "ids_with_bos", "decoded", "decoded_skip_special"}...],
//  "decode_only": [{"ids", "decoded", "decoded_skip_special"}...]}
void CheckRecorded(const fs::path& tokenizer_json, const fs::path& recorded_json) {
  const Result<Tokenizer> tokenizer = Tokenizer::Load(tokenizer_json);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
  simdjson::dom::parser parser;
  const element recorded = parser.load(recorded_json.string());
  size_t count = 0;
  for (const element row : Rows(recorded, "encode")) {
    const std::string text = Text(row, "text");
    SCOPED_TRACE(testing::PrintToString(text));
    EXPECT_EQ(tokenizer.value().Encode(text), Ids(row, "ids"));
    EXPECT_EQ(tokenizer.value().Encode(text, {.add_special_tokens = true}),
              Ids(row, "ids_with_bos"));
    CheckDecoding(tokenizer.value(), row);
    ++count;
  }
  for (const element row : Rows(recorded, "decode_only")) {
    SCOPED_TRACE(testing::PrintToString(Ids(row, "ids")));
    CheckDecoding(tokenizer.value(), row);
    ++count;
  }
  EXPECT_EQ(count, 429U);
}

TEST(TokenizerGoldenTest, AgreesOnTheTinyTokenizer) {
  const fs::path directory =
      fs::path(RIDGELINE_TESTS_DIR) / "data/deepseek_ocr/tokenizer";
  CheckRecorded(directory / "tokenizer.json", directory / "recorded.json");
}

TEST(TokenizerGoldenTest, AgreesOnTheOfficialTokenizerOfDeepSeekOcr) {
  const fs::path shared =
      os::GetEnv("RIDGELINE_SHARED").value_or(RIDGELINE_SOURCE_DIR "/../shared");
  const fs::path directory = shared / "golden/deepseek_ocr";
  if (!os::IsRegularFile(directory / "official/tokenizer.json")) {
    GTEST_SKIP() << "RIDGELINE_SHARED has no golden/deepseek_ocr/official/tokenizer.json";
  }
  CheckRecorded(directory / "official/tokenizer.json",
                directory / "golden/tokenizer_official.json");
}

}  // namespace
}  // namespace ridgeline::tokenizers
