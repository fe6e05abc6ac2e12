#include "report/sections/parts.h"

#include <gmock/gmock.h>

#include "base/utf8.h"

namespace ridgeline::report {
namespace {

TEST(CutTextTest, KeepsBeginningAndEnd) {
  EXPECT_EQ(CutText("kernel"), "kernel");
  const std::string limit(kMaxTextBytes, 'x');
  EXPECT_EQ(CutText(limit), limit);
  const std::string cut = CutText("begin" + std::string(10'000, 'x') + "end");
  EXPECT_TRUE(cut.starts_with("begin"));
  EXPECT_TRUE(cut.ends_with("end"));
  EXPECT_LE(cut.size(), kMaxTextBytes + 10);
}

TEST(CutTextTest, LeavesCharactersWhole) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "ü";
  for (const std::string& shifted : {text, "a" + text}) {
    EXPECT_TRUE(IsValidUtf8(CutText(shifted)));
  }
}

TEST(RowLimitTest, KeepsTheFirstOfEachSource) {
  RowLimit limit(2);
  EXPECT_TRUE(limit.Keeps(0));
  int kept = 1;
  for (int i = 0; i < 100; ++i) kept += limit.Keeps(0) ? 1 : 0;
  EXPECT_EQ(kept, 25);  // More than 2: each source has at least this many.
  EXPECT_TRUE(limit.Keeps(1));
}

}  // namespace
}  // namespace ridgeline::report
