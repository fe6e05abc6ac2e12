#include "report/value_text.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/utf8.h"

namespace ridgeline::report {
namespace {

using testing::ElementsAre;

TEST(ValueTextTest, CountsHaveCommas) {
  EXPECT_EQ(TextOf(int64_t{18850}, Unit::kNone), "18,850");
  EXPECT_EQ(TextOf(int64_t{999}, Unit::kNone), "999");
  EXPECT_EQ(TextOf(int64_t{18850}, Unit::kBytes), "18.9 kB");
}

TEST(ValueTextTest, NegativeTimesAreScaled) {
  EXPECT_EQ(TextOf(-0.001402, Unit::kSeconds), "-1.40 ms");
  EXPECT_EQ(TextOf(-4.3e-7, Unit::kSeconds), "-0.43 us");
  EXPECT_EQ(TextOf(-12.5, Unit::kSeconds), "-12.5 s");
}

TEST(ValueTextTest, ShortenedNamesStayDifferent) {
  const auto kernel = [](const std::string& type) {
    return "void cudnn::bn_bw_1C11_kernel_new<" + type + ", 512, true, 1>(" +
           std::string(40, 'x') + ")";
  };
  EXPECT_THAT(
      ShortenedApart({kernel("float"), "gemm", kernel("half"), kernel("half")}, 40),
      ElementsAre("void cudnn::bn_bw_1C...nel_new<fl...xxxxxxxxxxxxxxxxxxx)", "gemm",
                  "void cudnn::bn_bw_1C...nel_new<ha...xxxxxxxxxxxxxxxxxxx)",
                  "void cudnn::bn_bw_1C...nel_new<ha...xxxxxxxxxxxxxxxxxxx)"));
  EXPECT_THAT(ShortenedApart({kernel("float")}, 40),
              ElementsAre("void cudnn::bn_bw_1C...xxxxxxxxxxxxxxxxxxx)"));
}

// Two pairs, apart by their ends, that also differ in the middle.
TEST(ValueTextTest, DifferentEndsStayDifferent) {
  std::vector<std::string> names;
  for (const char* end : {"float", "half"}) {
    for (const char* middle : {"fill", "clamp"}) {
      std::string name(60, 'x');
      name += middle + std::string(60, 'y') + end + "#1}, at::Array<char*, 2>)";
      names.push_back(name);
    }
  }
  std::vector<std::string> shortened = ShortenedApart(names, 60);
  std::sort(shortened.begin(), shortened.end());
  EXPECT_EQ(std::unique(shortened.begin(), shortened.end()), shortened.end());
}

TEST(ValueTextTest, NamesThatDifferInManyPlacesAreNotShortened) {
  const std::string padding(60, 'x');
  std::vector<std::string> names;
  for (const char* first : {"a", "b"}) {
    for (const char* second : {"a", "b"}) {
      names.push_back(padding + first + padding + second + padding);
    }
  }
  EXPECT_EQ(ShortenedApart(names, 40), names);
}

TEST(ValueTextTest, NamesAreShortenedBetweenCharacters) {
  std::vector<std::string> names;
  for (const char* middle : {"\u00e4", "\u00f6"}) {
    std::string name;
    for (int i = 0; i < 100; ++i) name += i == 50 ? middle : "\u00fc";
    names.push_back(name);
  }
  for (const std::string& name : ShortenedApart(names, 41)) {
    EXPECT_TRUE(IsValidUtf8(name)) << name;
  }
}

}  // namespace
}  // namespace ridgeline::report
