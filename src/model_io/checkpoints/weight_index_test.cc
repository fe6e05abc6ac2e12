#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_io/checkpoints/checkpoint.h"

namespace ridgeline::checkpoints {
namespace {

using ::testing::StartsWith;

TEST(WeightIndexTest, ComesBackFromItsJson) {
  const WeightMap weight_map = {
      {"a.weight", "model-00001-of-000002.safetensors"},
      {"b \"quoted\" \u00fc", "model-00002-of-000002.safetensors"}};
  const std::string json = ToWeightIndexJson(weight_map, 6'672'212'480);
  EXPECT_THAT(json, StartsWith("{\n  \"metadata\": {\n    \"total_size\": 6672212480\n"));
  EXPECT_EQ(ParseWeightIndex(json, "index.json").value(), weight_map);
}

TEST(WeightIndexTest, NeedsNoTotalSize) {
  EXPECT_EQ(ParseWeightIndex(R"({"weight_map": {"a": "f"}})", "i").value(),
            (WeightMap{{"a", "f"}}));
}

TEST(WeightIndexTest, RefusesTheRest) {
  struct Case {
    const char* what;
    const char* json;
    const char* want;
  };
  const Case cases[] = {
      {"not JSON", "{", "is not JSON"},
      {"a list", "[]", "has no weight_map"},
      {"no map", "{}", "has no weight_map"},
      {"map of another type", R"({"weight_map": []})", "has no weight_map"},
      {"empty map", R"({"weight_map": {}})", "has an empty weight_map"},
      {"a number", R"({"weight_map": {"a": 1}})",
       "has an invalid file name for tensor 'a'"},
      {"empty name", R"({"weight_map": {"a": ""}})",
       "has an invalid file name for tensor 'a'"},
      {"elsewhere", R"({"weight_map": {"a": "../f"}})",
       "has an invalid file name for tensor 'a'"},
      {"absolute", R"({"weight_map": {"a": "/etc/passwd"}})",
       "has an invalid file name for tensor 'a'"},
      {"the directory", R"({"weight_map": {"a": ".."}})",
       "has an invalid file name for tensor 'a'"},
      {"a tensor twice", R"({"weight_map": {"a": "f", "a": "g"}})",
       "has duplicate key 'a'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<WeightMap> parsed = ParseWeightIndex(c.json, "index.json");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_THAT(parsed.error().message(),
                StartsWith(std::string("index.json: ") + c.want));
  }
}

}  // namespace
}  // namespace ridgeline::checkpoints
