#include "model_io/predictions/predictions_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "os/files.h"

namespace ridgeline::predictions {
namespace {

Prediction Sample() {
  return {.image = "pages/a.png",
          .epoch = 2,
          .text = "<|ref|>x<|/ref|> \"a\"\nb",
          .text_clean = "x \"a\"\nb",
          .ids = {128816, 87, 1},
          .reached_end = true,
          .prompt_tokens = 283,
          .phases = {{"sam", 0.25},
                     {"vision", 0.5},
                     {"prefill", 0.125},
                     {"decode", 1.5},
                     {"clip", 0.0625},
                     {"projector", 0.015625}},
          .preprocess_s = 0.75};
}

TEST(PredictionsFile, ALineHasTheseKeysInThisOrder) {
  EXPECT_EQ(ToJsonLine(Sample()),
            R"({"schema_version":2,"image":"pages/a.png","epoch":2,)"
            R"("text":"<|ref|>x<|/ref|> \"a\"\nb","text_clean":"x \"a\"\nb",)"
            R"("ids":[128816,87,1],"finish_reason":"stop","preprocess_s":0.75,)"
            R"("vision_s":0.5,"prefill_s":0.125,"decode_s":1.5,"prompt_tokens":283,)"
            R"("generated_tokens":3,"decode_tokens_per_s":1.3333333333333333,)"
            R"("sam_s":0.25,"clip_s":0.0625,"projector_s":0.015625})"
            "\n");
}

TEST(PredictionsFile, WhatIsNotKnownIsNull) {
  EXPECT_EQ(ToJsonLine({.image = "a.png"}),
            R"({"schema_version":2,"image":"a.png","epoch":0,"text":"","text_clean":"",)"
            R"("ids":[],"finish_reason":"length","preprocess_s":null,"vision_s":null,)"
            R"("prefill_s":null,"decode_s":null,"prompt_tokens":null,)"
            R"("generated_tokens":0,"decode_tokens_per_s":null})"
            "\n");
}

TEST(PredictionsFile, OneTokenIsNoThroughput) {
  EXPECT_THAT(ToJsonLine({.image = "a", .ids = {1}, .phases = {{"decode", 0.5}}}),
              testing::HasSubstr(R"("decode_tokens_per_s":null)"));
}

TEST(PredictionsFile, LinesComeBack) {
  Prediction first = Sample();
  Prediction second = {.image = "b \"c\".png", .ids = {-1, 0}};
  second.logits = {{0.5, -1e300}, {}};
  const auto back = ParsePredictions(ToJsonLine(first) + ToJsonLine(second), "x");
  ASSERT_TRUE(back.ok()) << back.error().message();
  // Times come back in the order of the keys.
  std::stable_partition(first.phases.begin(), first.phases.end(), [](const auto& phase) {
    return phase.name == "vision" || phase.name == "prefill" || phase.name == "decode";
  });
  EXPECT_EQ(back.value(), (std::vector{first, second}));
}

TEST(PredictionsFile, BytesThatAreNotUtf8DoNotSpoilTheFile) {
  const std::string line = ToJsonLine({.image = "\xff.png", .text = "a\xc3"});
  EXPECT_EQ(ParsePredictions(line, "x").value().front().text, "a\xef\xbf\xbd");
}

TEST(PredictionsFile, AReferenceNeedsOnlyImageAndIds) {
  const auto read = ParsePredictions(
      R"({"image":"a","ids":[5],"took_s":"long","model":{"ids":[1],"name":"x"}})", "x");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), (std::vector<Prediction>{{.image = "a", .ids = {5}}}));
  EXPECT_TRUE(ParsePredictions("", "x").value().empty());
}

TEST(PredictionsFile, OneArrayOfLogitsIsOneRow) {
  const auto read = ParsePredictions(
      R"({"schema_version":1,"image":"a","ids":[5],"logits":[1,2.5]})", "x");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value()[0].logits, (std::vector<std::vector<double>>{{1, 2.5}}));
}

TEST(PredictionsFile, SaysWhereAndWhatIsWrong) {
  const std::string good = R"({"schema_version":1,"image":"a","ids":[5]})";
  struct Case {
    std::string lines;
    std::string want;
  };
  const Case cases[] = {
      {good + "\n\n" + good, "f:2: empty line"},
      {good + "\n" + good + "\n[]", "f:3: not a JSON object"},
      {"{",
       "f:1: not JSON: column 2: syntax error while parsing object key - unexpected "
       "end of input"},
      {std::string("{}\0", 3), "f:1: not JSON: contains a NUL byte"},
      {R"({"schema_version":1,"ids":[]})", "f:1: 'image': missing"},
      {R"({"schema_version":1,"image":"a"})", "f:1: 'ids': missing"},
      {R"({"schema_version":3})", "f:1: 'schema_version': expected 1 to 2"},
      {R"({"image":""})", "f:1: 'image': empty"},
      {R"({"image":3})", "f:1: 'image': not a string"},
      {R"({"ids":5})", "f:1: 'ids': not an array of integers"},
      {R"({"ids":[1.5]})", "f:1: 'ids': not an array of integers"},
      {R"({"ids":[18446744073709551615]})", "f:1: 'ids': not an array of integers"},
      {R"({"epoch":-1})", "f:1: 'epoch': not an integer >= 0"},
      {R"({"reached_end":1})", "f:1: 'reached_end': not a boolean"},
      {R"({"finish_reason":1})", "f:1: 'finish_reason': not a string"},
      {R"({"sam_s":-1})", "f:1: 'sam_s': not null or a number >= 0"},
      {R"({"ids":[1],"ids":[2]})", "f:1: duplicate key 'ids'"},
      {R"({"logits":1})", "f:1: 'logits': not an array"},
      {R"({"logits":[1,[2]]})",
       "f:1: 'logits': not an array of numbers or of arrays of numbers"},
      {R"({"logits":[[2],1]})",
       "f:1: 'logits': not an array of numbers or of arrays of numbers"},
      {R"({"schema_version":1,"image":"a","ids":[5],"generated_tokens":2})",
       "f:1: 'generated_tokens': 2, but 'ids' has 1 entries"},
      {R"({"ids":)" + std::string(100'000, '['), "f:1: not JSON: "},
      {R"({"other":)" + std::string(40, '[') + std::string(40, ']') + "}",
       "f:1: nesting too deep"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.lines.substr(0, 200));
    const auto read = ParsePredictions(c.lines, "f");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code(), ErrorCode::kParse);
    EXPECT_EQ(read.error().message().substr(0, c.want.size()), c.want);
  }
}

TEST(PredictionsFile, ReadsAFileAndNamesOneThatIsMissing) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) /
      ("ridgeline-predictions-" + std::to_string(::getpid()) + ".jsonl");
  ASSERT_TRUE(os::WriteFileAtomically(path, ToJsonLine(Sample())).ok());
  EXPECT_EQ(ReadPredictions(path).value().size(), 1U);
  ASSERT_TRUE(os::RemoveAll(path).ok());
  const auto missing = ReadPredictions(path);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
}

TEST(PredictionsFile, ReadsHowAnAnswerEndedInEveryVersion) {
  const auto reached_end = [](const std::string& member) {
    const auto read = ParsePredictions(R"({"image":"a","ids":[5],)" + member + "}", "x");
    return read.ok() && read.value()[0].reached_end;
  };
  EXPECT_TRUE(reached_end(R"("schema_version":1,"reached_end":true)"));
  EXPECT_FALSE(reached_end(R"("schema_version":1,"reached_end":false)"));
  EXPECT_TRUE(reached_end(R"("schema_version":2,"finish_reason":"stop")"));
  EXPECT_FALSE(reached_end(R"("schema_version":2,"finish_reason":"length")"));
}

}  // namespace
}  // namespace ridgeline::predictions
