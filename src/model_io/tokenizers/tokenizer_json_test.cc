#include "model_io/tokenizers/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::tokenizers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A small valid file with some fields replaced.
std::string Json(const std::map<std::string, std::string>& replaced = {}) {
  std::map<std::string, std::string> fields = {
      {"added_tokens", R"([{"id": 3, "content": "<s>", "special": true}])"},
      {"normalizer", "null"},
      {"pre_tokenizer", R"({"type": "ByteLevel"})"},
      {"post_processor", "null"},
      {"decoder", R"({"type": "ByteLevel"})"},
      {"model", R"({"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]})"},
  };
  for (const auto& [key, value] : replaced) fields[key] = value;
  std::string json;
  for (const auto& [key, value] : fields) {
    json += (json.empty() ? "{" : ",") + ("\"" + key + "\":") += value;
  }
  return json + "}";
}

TEST(TokenizerJsonTest, ReadsMergesOfBothForms) {
  for (const char* merges : {R"(["#version: 0.2", "a b"])", R"([["a", "b"]])"}) {
    SCOPED_TRACE(merges);
    const auto file = ParseTokenizerJson(
        Json({{"model", std::string(R"({"type": "BPE", "ignore_merges": true,
                 "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": )") +
                            merges + "}"}}));
    ASSERT_TRUE(file.ok()) << file.error().message();
    const Merge* merge = file.value().model.merges.Find(0, 1);
    ASSERT_NE(merge, nullptr);
    EXPECT_EQ(merge->id, 2);
    EXPECT_EQ(merge->rank, 0U);
    EXPECT_EQ(file.value().model.whole_pieces, WholePieces::kTakeIfTokens);
    EXPECT_EQ(file.value().model.vocabulary.size(), 4U);
  }
}

TEST(TokenizerJsonTest, ReadsPretokenizersInOrder) {
  const auto file = ParseTokenizerJson(Json({{"pre_tokenizer", R"({
    "type": "Sequence", "pretokenizers": [
      {"type": "Digits", "individual_digits": true},
      {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"String": "."}, "behavior": "Removed"},
        {"type": "Split", "pattern": {"Regex": "x+"}, "behavior": "MergedWithNext",
         "invert": true}]},
      {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})"}}));
  ASSERT_TRUE(file.ok()) << file.error().message();
  const PretokenizerSpec& spec = file.value().pretokenizer;
  ASSERT_EQ(spec.splits.size(), 3U);
  EXPECT_EQ(spec.splits[0].pattern, R"(\p{N})");
  EXPECT_EQ(spec.splits[1].pattern, ".");
  EXPECT_EQ(spec.splits[1].kind, PatternKind::kLiteral);
  EXPECT_EQ(spec.splits[1].behavior, SplitBehavior::kRemoved);
  EXPECT_EQ(spec.splits[2].behavior, SplitBehavior::kMergedWithNext);
  EXPECT_TRUE(spec.splits[2].is_inverted);
  EXPECT_FALSE(spec.adds_prefix_space);
  EXPECT_FALSE(spec.splits_like_gpt2);
}

TEST(TokenizerJsonTest, ByteLevelAddsASpaceAndCutsUnlessToldOtherwise) {
  const auto file = ParseTokenizerJson(Json());
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_TRUE(file.value().pretokenizer.adds_prefix_space);
  EXPECT_TRUE(file.value().pretokenizer.splits_like_gpt2);
}

TEST(TokenizerJsonTest, ReadsAddedTokens) {
  const auto file = ParseTokenizerJson(Json({{"added_tokens", R"([
    {"id": 5, "content": "x", "lstrip": true, "single_word": true},
    {"id": 4, "content": "y", "special": true, "rstrip": true}])"}}));
  ASSERT_TRUE(file.ok()) << file.error().message();
  const std::vector<AddedToken>& tokens = file.value().added_tokens;
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_TRUE(tokens[0].strips_left && tokens[0].is_single_word);
  EXPECT_TRUE(tokens[0].is_normalized);  // Default unless it is special.
  EXPECT_TRUE(tokens[1].strips_right && tokens[1].is_special);
  EXPECT_FALSE(tokens[1].is_normalized);
}

TEST(TokenizerJsonTest, ReadsATemplateAlsoWithinASequence) {
  const std::string processor = R"({"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
               {"Sequence": {"id": "A", "type_id": 0}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}}})";
  const std::string sequence =
      R"({"type": "Sequence", "processors": [{"type": "ByteLevel"}, )" + processor + "]}";
  for (const std::string& text : {processor, sequence}) {
    SCOPED_TRACE(text);
    const auto file = ParseTokenizerJson(Json({{"post_processor", text}}));
    ASSERT_TRUE(file.ok()) << file.error().message();
    const auto& parts = file.value().special_template;
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_THAT(parts[0].ids, ElementsAre(3));
    EXPECT_EQ(parts[1].kind, TemplatePart::Kind::kText);
  }
}

struct RefusalCase {
  const char* what;
  std::string json;
  const char* want;
};

void ExpectErrors(const std::vector<RefusalCase>& cases, ErrorCode code) {
  for (const RefusalCase& c : cases) {
    SCOPED_TRACE(c.what);
    const auto file = ParseTokenizerJson(c.json);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code(), code);
    EXPECT_THAT(file.error().message(), HasSubstr(c.want));
  }
}

TEST(TokenizerJsonTest, SaysWhatIsWrong) {
  const auto model = [](const char* text) { return Json({{"model", text}}); };
  const auto added = [](const char* text) { return Json({{"added_tokens", text}}); };
  const auto after = [](const char* text) { return Json({{"post_processor", text}}); };
  ExpectErrors(
      {
          {"nothing", "", "is not JSON: "},
          {"no JSON", "{\"a\": ", "is not JSON: "},
          {"not UTF-8", "{\"\xFF\": 1}", "is not JSON: "},
          {"too deep", std::string(5000, '['), "is not JSON: "},
          {"not an object", "[]", "is not a tokenizer file"},
          {"no model", model("null"), "'model' is missing"},
          {"a model of another type", model("7"), "'model' is not an object"},
          {"no vocabulary", model(R"({"merges": []})"), "'model.vocab' is missing"},
          {"no merges", model(R"({"vocab": {}})"), "'model.merges' is missing"},
          {"an id that is no number", model(R"({"vocab": {"a": "0"}, "merges": []})"),
           "'model.vocab.a' is not an integer"},
          {"an id of a huge table",
           model(R"({"vocab": {"a": 4000000000}, "merges": []})"),
           "model.vocab: token 'a': id 4000000000 is not in"},
          {"a token twice", model(R"({"vocab": {"a": 0, "a": 0}, "merges": []})"),
           "duplicate token 'a'"},
          {"three parts of a merge", model(R"({"vocab": {"a": 0}, "merges": ["a a a"]})"),
           "'model.merges[0]' is not a pair of tokens"},
          {"half a merge", model(R"({"vocab": {"a": 0}, "merges": [["a"]]})"),
           "'model.merges[0]' is not a pair of tokens"},
          {"a merge of nothing", model(R"({"vocab": {"a": 0}, "merges": [["a", "x"]]})"),
           "needs token 'x', which is not in the vocabulary"},
          {"a merge to nothing", model(R"({"vocab": {"a": 0}, "merges": ["a a"]})"),
           "needs token 'aa'"},
          {"an added token without id", added(R"([{"content": "x"}])"),
           "'added_tokens[0].id' is missing"},
          {"an added token in place of another", added(R"([{"id": 0, "content": "x"}])"),
           "added_tokens[0]: tokens 'a' and 'x' have the same id 0"},
          {"a flag that is a number",
           added(R"([{"id": 9, "content": "x", "lstrip": 1}])"),
           "'added_tokens[0].lstrip' is not a boolean"},
          {"a behavior that is none",
           Json({{"pre_tokenizer", R"({"type": "Split", "pattern": {"Regex": "a"},
                                       "behavior": "Eaten"})"}}),
           "'pre_tokenizer.behavior' is 'Eaten'"},
          {"a template without text",
           after(R"({"type": "TemplateProcessing", "single": []})"),
           "'post_processor.single' must have exactly one Sequence"},
          {"a template with an unknown token",
           after(R"({"type": "TemplateProcessing", "special_tokens": {"x": {"ids": [99]}},
                     "single": [{"SpecialToken": {"id": "x"}}]})"),
           "'post_processor.special_tokens.x.ids[0]' is not a token: 99"},
      },
      ErrorCode::kParse);
}

TEST(TokenizerJsonTest, SaysWhatItDoesNotSupport) {
  const auto model = [](const std::string& field) {
    return Json({{"model", "{" + field + R"(, "vocab": {"a": 0}, "merges": []})"}});
  };
  const auto pretokenizer = [](const char* text) {
    return Json({{"pre_tokenizer", text}});
  };
  ExpectErrors(
      {
          {"another model", model(R"("type": "WordPiece")"),
           "models of type 'WordPiece'"},
          {"dropout", model(R"("dropout": 0.1)"), "'model.dropout'"},
          {"suffixes", model(R"("end_of_word_suffix": "</w>")"),
           "'model.end_of_word_suffix'"},
          {"unknown tokens", model(R"("unk_token": "a")"),
           "'model.unk_token' is not supported for a vocabulary without byte 0x00"},
          {"byte fallback", model(R"("byte_fallback": true)"), "'model.byte_fallback'"},
          {"a normalizer", Json({{"normalizer", R"({"type": "NFC"})"}}),
           "'normalizer' of type 'NFC' is not supported"},
          {"a normalizer in a sequence",
           Json({{"normalizer",
                  R"({"type": "Sequence", "normalizers": [{"type": "NFKC"}]})"}}),
           "'normalizer.normalizers[0]' of type 'NFKC' is not supported"},
          {"truncation", Json({{"truncation", "{}"}}), "'truncation' is not supported"},
          {"no decoder", Json({{"decoder", "null"}}), "without 'decoder'"},
          {"another decoder", Json({{"decoder", R"({"type": "Metaspace"})"}}),
           "'decoder' of type 'Metaspace'"},
          {"characters, not bytes", pretokenizer("null"), "without ByteLevel"},
          {"another pre-tokenizer", pretokenizer(R"({"type": "Metaspace"})"),
           "'pre_tokenizer' of type 'Metaspace'"},
          {"splitting bytes", pretokenizer(R"({"type": "Sequence", "pretokenizers": [
                            {"type": "ByteLevel"}, {"type": "Digits"}]})"),
           "'pre_tokenizer.pretokenizers[1]' after ByteLevel"},
          {"another post-processor",
           Json({{"post_processor", R"({"type": "BertProcessing"})"}}),
           "'post_processor' of type 'BertProcessing'"},
      },
      ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ridgeline::tokenizers
