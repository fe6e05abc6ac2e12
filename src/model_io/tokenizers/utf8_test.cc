#include "model_io/tokenizers/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ridgeline::tokenizers {
namespace {

TEST(Utf8Test, ReplacesEachMaximalInvalidPartOnce) {
  struct Case {
    const char* what;
    std::string_view text;
    std::string_view want;
  };
  const Case cases[] = {
      {"nothing", "", ""},
      {"valid text of all lengths", "a\u00e9\u4e00\U0001F600", "a\u00e9\u4e00\U0001F600"},
      {"a continuation alone", "a\x80z", "a\uFFFDz"},
      {"each continuation alone", "\x80\xBF", "\uFFFD\uFFFD"},
      {"bytes that begin nothing", "\xC0\xC1\xF5\xFF", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"a character cut off at the end is one", "\xF0\x9F\x98", "\uFFFD"},
      {"a character cut off by another", "\xE4\xB8z", "\uFFFDz"},
      {"too long for its value", "\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
      {"four bytes too long", "\xF0\x80\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"a surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"beyond U+10FFFF", "\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"the last code point", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
      {"a lead after a lead", "\xC3\xC3\xA9", "\uFFFD\u00e9"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(ToValidUtf8(c.text), c.want);
    EXPECT_TRUE(IsValidUtf8(ToValidUtf8(c.text)));
  }
}

TEST(Utf8Test, WritesWhatItReads) {
  for (const char32_t code_point :
       {0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF}) {
    std::string text;
    AppendUtf8(code_point, text);
    const Utf8Step first = NextUtf8(text);
    EXPECT_TRUE(first.is_valid);
    EXPECT_EQ(first.code_point, code_point);
    EXPECT_EQ(first.length, text.size());
    EXPECT_EQ(LastUtf8("x" + text).code_point, code_point);
  }
}

TEST(Utf8Test, KnowsWhiteSpaceAsUnicodeDoes) {
  for (const char32_t c : {0x9, 0xD, 0x20, 0x85, 0xA0, 0x1680, 0x200A, 0x3000}) {
    EXPECT_TRUE(IsWhiteSpace(c)) << static_cast<uint32_t>(c);
  }
  for (const char32_t c : {0x8, 0xE, 0x1F, 0x180E, 0x200B, 0xFEFF}) {
    EXPECT_FALSE(IsWhiteSpace(c)) << static_cast<uint32_t>(c);
  }
}

}  // namespace
}  // namespace ridgeline::tokenizers
