#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ridgeline {
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

TEST(Utf8Test, KnowsItAndReplacesEachByteOfTheRest) {
  struct Case {
    const char* text;
    bool is_utf8;
    const char* clean;
  };
  const Case cases[] = {
      {"", true, ""},
      {"plain", true, "plain"},
      {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true,
       "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"a\xFFz", false, "a\xEF\xBF\xBDz"},
      {"\xC3", false, "\xEF\xBF\xBD"},
      {"\xC0\x80", false, "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xE0\x80\x80", false, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xED\xA0\x80", false, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xF4\x90\x80\x80x", false, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(IsValidUtf8(c.text), c.is_utf8);
    EXPECT_EQ(ReplaceBrokenUtf8(c.text), c.clean);
  }
}

TEST(CutTextTest, CutsBetweenCharacters) {
  const std::string_view text = "aüb€c";  // 1 + 2 + 1 + 3 + 1 bytes.
  struct Case {
    size_t most;
    const char* head;
    const char* tail;
  };
  for (const Case& c :
       {Case{0, "", ""}, Case{1, "a", "c"}, Case{2, "a", "c"}, Case{3, "aü", "c"},
        Case{4, "aüb", "€c"}, Case{6, "aüb", "b€c"}, Case{7, "aüb€", "üb€c"},
        Case{8, "aüb€c", "aüb€c"}, Case{99, "aüb€c", "aüb€c"}}) {
    EXPECT_EQ(HeadOf(text, c.most), c.head) << c.most;
    EXPECT_EQ(TailOf(text, c.most), c.tail) << c.most;
  }
}

TEST(CutTextTest, LeavesOutTheMiddle) {
  EXPECT_EQ(ElideMiddle("short", 5, "..."), "short");
  EXPECT_EQ(ElideMiddle("0123456789", 4, "..."), "01...89");
  EXPECT_EQ(ElideMiddle("\x80\x80\x80\x80\x80", 2, "..."), "...");  // Not UTF-8.
}

}  // namespace
}  // namespace ridgeline
