#include "report/pages/pages.h"

#include <gmock/gmock.h>

namespace ridgeline::pages {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t CountOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(PagesTest, ReportsHaveOnePlaceForTheirData) {
  EXPECT_EQ(CountOf(ReportPage(), kDataMark), 1U);
  EXPECT_EQ(CountOf(SweepPage(), kDataMark), 1U);
}

TEST(PagesTest, NothingIsLeftToFillInAndNothingIsFetched) {
  for (const std::string_view each : {ReportPage(), SweepPage()}) {
    const std::string page(each);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    EXPECT_THAT(page, Not(HasSubstr("{{s")));
    EXPECT_THAT(page, Not(HasSubstr("<link")));
    EXPECT_THAT(page, Not(HasSubstr("<script src")));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  }
}

TEST(PagesTest, RunsHaveOneScriptAndOneStyleAndFetchNoOther) {
  const std::string page(RunsPage());
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(CountOf(page, "<script"), 1U);
  EXPECT_EQ(CountOf(page, "<script>"), 1U);
  EXPECT_EQ(CountOf(page, "<style>"), 1U);
  EXPECT_THAT(page, Not(HasSubstr("<link")));
  EXPECT_THAT(page, Not(HasSubstr(" style=\"")));
}

}  // namespace
}  // namespace ridgeline::pages
