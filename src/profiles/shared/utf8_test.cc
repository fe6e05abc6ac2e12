#include "profiles/shared/utf8.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

TEST(Utf8Test, KnowsItAndReplacesTheRest) {
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
    EXPECT_EQ(IsUtf8(c.text), c.is_utf8);
    EXPECT_EQ(ReplaceBrokenUtf8(c.text), c.clean);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
