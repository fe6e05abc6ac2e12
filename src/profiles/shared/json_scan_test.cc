#include "profiles/shared/json_scan.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace ridgeline::profiles {
namespace {

// Size of the value at the beginning of the text; -1: none.
int ValueSize(const std::string& text) {
  const std::string padded = text + std::string(kScanPadding, '\0');
  ScanFault fault;
  const char* const end = SkipValue(padded.data(), 1, fault);
  if (end != nullptr) return static_cast<int>(end - padded.data());
  EXPECT_NE(fault.what, nullptr);
  EXPECT_GE(fault.at, padded.data());
  EXPECT_LE(fault.at, padded.data() + text.size());
  return -1;
}

bool IsValue(const std::string& text) {
  return ValueSize(text) == static_cast<int>(text.size());
}

TEST(JsonScanTest, KnowsValues) {
  for (const char* text :
       {"0",
        "-0",
        "12.5",
        "1e5",
        "1E-5",
        "-1.5e+9",
        "true",
        "false",
        "null",
        "NaN",
        "Infinity",
        "-Infinity",
        "\"\"",
        "\"a\\\"b\\\\\"",
        "\"\\u00e9\\n\"",
        "[]",
        "{}",
        "[ 1 , [ ] ]",
        "{ \"a\" : { \"b\" : [ 1 ] } , \"c\" : \"d\" }",
        "\"a string that is longer than sixteen bytes \\t and goes on behind it\""}) {
    EXPECT_TRUE(IsValue(text)) << text;
  }
}

TEST(JsonScanTest, KnowsWhatIsNone) {
  for (const char* text :
       {"",        "-",         "01",       "1.",         ".5",
        "1e",      "tru",       "nulL",     "\"",         "\"\\",
        "\"\\x\"", "\"\\u12\"", "\"\t\"",   "[",          "]",
        "[1",      "[1,",       "[,1]",     "[1 2]",      "{",
        "{1:2}",   "{\"a\"}",   "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}",
        "'a'",     "NaNs",      "--1"}) {
    EXPECT_FALSE(IsValue(text)) << text;
  }
}

TEST(JsonScanTest, AgreesWithAnotherParserOnDamagedTexts) {
  const std::string text =
      R"({"a": [1, -2.5, "x\n\u00e9"], "b": {"c": null, "d": [true, false, {}]}, "e": ""})";
  // No 'e': the other parser rejects numbers that do not fit a double.
  const std::string letters = "\"\\{}[]:,0123456789.+-trufalsn ";
  std::mt19937 random(1);
  for (int i = 0; i < 50000; ++i) {
    std::string damaged = text;
    const int damages = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < damages; ++k) {
      damaged[random() % damaged.size()] = letters[random() % letters.size()];
    }
    const bool want = nlohmann::json::accept(damaged);
    ASSERT_EQ(IsValue(damaged), want) << damaged;
  }
}

TEST(JsonScanTest, Unescapes) {
  EXPECT_EQ(Unescape(R"(a\"\\\/\b\f\n\r\tz)"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(Unescape(R"(\u0041\u00e9\u20ac\ud83d\ude00)"),
            "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(Unescape(R"(\ud83d\u0041)"),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(Unescape(R"(\ude00)"), "\xEF\xBF\xBD");
  EXPECT_EQ(Unescape(R"(\ud83d)"), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ridgeline::profiles
