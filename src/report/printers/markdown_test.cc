#include "report/printers/markdown.h"

#include <gtest/gtest.h>

namespace ridgeline::report {
namespace {

TEST(Markdown, TablesHoldWhateverNamesAre) {
  EXPECT_EQ(Table({{"name", Align::kLeft}, {"n"}}, {{"a|b<c>*[d](e)`f\\g\nh", "1"},
                                                    {"i_j ::_k_ [[2]]", "22"},
                                                    {"::_softmax", "3"}}),
            "| name | n |\n"
            "| --- | ---: |\n"
            "| a\\|b&lt;c&gt;\\*[d\\](e)\\`f\\\\g h | 1 |\n"
            "| i_j ::\\_k_ [[2]] | 22 |\n"
            "| ::_softmax | 3 |\n");
}

TEST(Markdown, EscapesAngleBracketsOnlyWhereTheyHaveAMeaning) {
  EXPECT_EQ(Escaped("sh -c 'echo boom >&2'"), "sh -c 'echo boom >&2'");
  EXPECT_EQ(Escaped("a -> b"), "a -> b");
  EXPECT_EQ(Escaped("> quoted"), "&gt; quoted");
  EXPECT_EQ(Escaped("f<g<int>>(x) > 2"), "f&lt;g&lt;int&gt;&gt;(x) > 2");
  EXPECT_EQ(Escaped("f<128, g<float>>"), "f&lt;128, g&lt;float&gt;&gt;");
}

TEST(Markdown, NamesInCodeSpansAreNotEscaped) {
  const struct {
    const char* text;
    const char* want;
  } cases[] = {
      {"f<(int)128, char*, _a_>", "`f<(int)128, char*, _a_>`"},
      {"a|b", "`a\\|b`"},
      {"a`b", "``a`b``"},
      {"`a``", "``` `a`` ```"},
      {"a\nb", "`a b`"},
      {"", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(CodeSpan(c.text), c.want);
  EXPECT_EQ(Table({{"Kernel", Align::kLeft, CellText::kCode}, {"n"}}, {{"f<int*>", "1"}}),
            "| Kernel | n |\n| --- | ---: |\n| `f<int*>` | 1 |\n");
}

TEST(Markdown, CutsLongCellsInTheMiddle) {
  const std::string name = "begin" + std::string(10'000, 'x') + "end";
  const std::string table = Table({{"name"}}, {{name}});
  EXPECT_LT(table.size(), 250);
  EXPECT_NE(table.find("begin"), std::string::npos);
  EXPECT_NE(table.find("end"), std::string::npos);
}

TEST(Markdown, ScalesNumbers) {
  EXPECT_EQ(Percent(0.12345), "12 %");
  EXPECT_EQ(Percent(0.0331), "3.3 %");
  EXPECT_EQ(Percent(0.0996), "10 %");
  EXPECT_EQ(Milliseconds(1'234'567), "1.235 ms");
  EXPECT_EQ(SignedBytes(12), "12 B");
  EXPECT_EQ(SignedBytes(-1500), "-1.50 kB");
  EXPECT_EQ(SignedBytes(16e9), "16.0 GB");
}

}  // namespace
}  // namespace ridgeline::report
