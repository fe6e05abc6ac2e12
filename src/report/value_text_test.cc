#include "report/value_text.h"

#include <gmock/gmock.h>

#include "base/utf8.h"

namespace ridgeline::report {
namespace {

using testing::ElementsAre;

TEST(ValueTextTest, CountsHaveCommas) {
  EXPECT_EQ(TextOf(int64_t{18850}, Unit::kNone), "18,850");
  EXPECT_EQ(TextOf(int64_t{999}, Unit::kNone), "999");
  EXPECT_EQ(TextOf(int64_t{18850}, Unit::kBytes), "18.9 kB");
}

TEST(ValueTextTest, ShortenedNamesStayDifferent) {
  const auto kernel = [](const std::string& type) {
    return "void cudnn::bn_bw_1C11_kernel_new<" + type + ", 512, true, 1>(" +
           std::string(40, 'x') + ")";
  };
  EXPECT_THAT(
      ShortenedApart({kernel("float"), "gemm", kernel("half"), kernel("half")}, 40),
      ElementsAre("void cudnn...nel_new<float, 512, ...xxxxxxxxx)", "gemm",
                  "void cudnn...nel_new<half, 512, t...xxxxxxxxx)",
                  "void cudnn...nel_new<half, 512, t...xxxxxxxxx)"));
  EXPECT_THAT(ShortenedApart({kernel("float")}, 40),
              ElementsAre("void cudnn::bn_bw_1C...xxxxxxxxxxxxxxxxxxx)"));
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
