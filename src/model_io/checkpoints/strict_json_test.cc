#include "model_io/checkpoints/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ridgeline::checkpoints {
namespace {

using ::testing::HasSubstr;

TEST(StrictJsonTest, ReadsWhatIsNotAmbiguous) {
  const std::string deep = std::string(32, '[') + std::string(32, ']');
  const std::string cases[] = {
      "{}",
      R"({"a": {"k": 1}, "b": {"k": 1}})",           // Equal keys in different objects.
      R"({"k": {"k": {"k": 1}}, "l": [{"k": 1}]})",  // Equal keys at different depths.
      R"([{"k": 1}, {"k": 2}])",
      "  null  ",
      deep,
  };
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    const auto parsed = ParseStrictJson(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    EXPECT_EQ(parsed.value(), nlohmann::json::parse(text));
  }
}

TEST(StrictJsonTest, RefusesTheRest) {
  struct Case {
    const char* what;
    std::string text;
    const char* want;
  };
  const Case cases[] = {
      {"empty", "", "is not JSON: parse error at line 1"},
      {"cut off", R"({"a":)", "is not JSON: parse error at line 1"},
      {"more behind it", "{} x", "is not JSON: parse error at line 1"},
      {"zero byte behind it", std::string("{}\0x", 4),
       "is not JSON: contains a NUL byte"},
      {"not UTF-8", "\"\xff\"", "is not JSON: parse error at line 1"},
      {"a key twice", R"({"a": 1, "a": 1})", "has duplicate key 'a'"},
      {"a key twice inside", R"({"o": [{"a": 1, "b": 2, "a": 3}]})",
       "has duplicate key 'a'"},
      {"a key twice around a mapping", R"({"a": {"b": 1}, "a": 2})",
       "has duplicate key 'a'"},
      {"a key twice, once escaped", R"({"a": 1, "\u0061": 2})", "has duplicate key 'a'"},
      {"too deep", std::string(40, '[') + std::string(40, ']'),
       "is nested more than 32 levels deep"},
      {"too deep in mappings",
       [] {
         std::string text = "1";
         for (int i = 0; i < 40; ++i) text = R"({"a":)" + text + "}";
         return text;
       }(),
       "is nested more than 32 levels deep"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto parsed = ParseStrictJson(c.text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_THAT(parsed.error().message(), HasSubstr(c.want));
  }
}

TEST(StrictJsonTest, CutsAbsurdNamesInMessages) {
  EXPECT_EQ(Quoted("a b"), "'a b'");
  EXPECT_EQ(Quoted(std::string(1000, 'x')),
            "'" + std::string(200, 'x') + "...' (1000 bytes)");
}

}  // namespace
}  // namespace ridgeline::checkpoints
