#include <gtest/gtest.h>

#include "model_io/predictions/gallery.h"

namespace ridgeline::predictions {
namespace {

TEST(MarkdownText, NamesAreShownAsTheyAre) {
  struct Case {
    const char* name;
    const char* want;
  };
  const Case cases[] = {
      {"page-1.png", "page-1.png"},
      {"my_page (2).png", "my\\_page \\(2\\).png"},
      {"](http://x)[", "\\]\\(http\\://x\\)\\["},
      {"<script>", "\\<script\\>"},
      {"a`b\\", "a\\`b\\\\"},
      {"two\n\n# lines\r\t", "two  \\# lines  "},
      {"\xe9\xa1\xb5.png", "\xe9\xa1\xb5.png"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(EscapeMarkdown(c.name), c.want);
  }
}

TEST(MarkdownText, NoTextBreaksOutOfItsBlock) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "```text\n```\n"},
      {"a line", "a", "```text\na\n```\n"},
      {"a line with its end", "a\n", "```text\na\n```\n"},
      {"a fence", "```\n# out\n", "````text\n```\n# out\n````\n"},
      {"a longer fence", "`\n``````sh\n", "```````text\n`\n``````sh\n```````\n"},
      {"tildes", "~~~\n<b>", "```text\n~~~\n<b>\n```\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(FencedBlock(c.text), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::predictions
