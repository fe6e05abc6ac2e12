#include "app/kernel_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace ridgeline::app {
namespace {

using testing::HasSubstr;

const char* const kNames[] = {
    "plain",
    "void f<(int)7, float[4]>(T1::Params *, T2 &)",
    "at::native::[lambda() (instance 3)]::operator ()() const",
    R"(back\slash ^start$ a|b a+b? {x} 'single' "double")",
    "two\nlines",
    "tab\tand \x7F",
    "# no comment: at all",
    "",
};

TEST(KernelYamlTest, RegexMatchesItsNameAndNoOther) {
  for (const std::string name : kNames) {
    SCOPED_TRACE(name);
    const std::regex regex(ExactRegex(name));
    EXPECT_TRUE(std::regex_search(name, regex));
    EXPECT_FALSE(std::regex_search(name + "x", regex));
    EXPECT_FALSE(std::regex_search("x" + name, regex));
  }
}

TEST(KernelYamlTest, QuotesWhatYamlWouldReadOtherwise) {
  EXPECT_EQ(YamlQuoted("it's"), "'it''s'");
  EXPECT_EQ(YamlQuoted(R"(a\(b\))"), R"('a\(b\)')");
  EXPECT_EQ(YamlQuoted("a\n\"b\"\\"), R"("a\x0a\"b\"\\")");
}

TEST(KernelYamlTest, ListsKernelsByRank) {
  const std::string yaml = ToYaml({.source = "a.csv",
                                   .region = "prefill/sam",
                                   .kernels = {{.name = "void f<int>(int *)",
                                                .calls = 12,
                                                .time_total_ns = 900,
                                                .time_share = 0.9},
                                               {.name = "g", .calls = 1}}});
  EXPECT_THAT(yaml,
              HasSubstr("source: 'a.csv'\nregion: 'prefill/sam'\nkernels:\n"
                        "- name: 'void f<int>(int *)'\n"
                        "  regex: '^void f<int>\\(int \\*\\)$'\n"
                        "  description: 'rank 1: 90.0 % of kernel time, 12 launches'\n"
                        "  rank: 1\n  time_share: 0.900000\n"
                        "  time_total_ns: 900\n  calls: 12\n"
                        "- name: 'g'\n"));
  EXPECT_THAT(ToYaml({.source = "a"}), HasSubstr("\nkernels: []\n"));
}

}  // namespace
}  // namespace ridgeline::app
