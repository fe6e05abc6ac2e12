#include "base/cut_text.h"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

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
  EXPECT_EQ(WithoutMiddle("short", 5, "..."), "short");
  EXPECT_EQ(WithoutMiddle("0123456789", 4, "..."), "01...89");
  EXPECT_EQ(WithoutMiddle("\x80\x80\x80\x80\x80", 2, "..."), "...");  // No UTF-8.
}

}  // namespace
}  // namespace ridgeline
