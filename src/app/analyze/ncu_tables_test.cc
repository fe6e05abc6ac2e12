#include <gmock/gmock.h>

#include "app/analyze/ncu_summary.h"

namespace ridgeline::app {
namespace {

TEST(NcuTablesTest, HaveNoCellThatASpreadsheetEvaluates) {
  struct Case {
    const char* name;
    const char* want;
  };
  const Case cases[] = {
      {"=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""},
      {"+1+cmd", "'+1+cmd"},
      {"-a", "'-a"},
      {"@SUM", "'@SUM"},
      {"\t=1", "'\t=1"},
      {"\r=1", "'\\x0d=1"},
      {"-12.5", "-12.5"},
      {"void k<a, b>()", "\"void k<a, b>()\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    results::NcuRows rows;
    results::NcuLaunch& launch = rows.launches.emplace_back();
    launch.metrics.emplace_back().text = rows.names.Intern(c.name);
    const std::string csv = NcuMetricsCsv({rows, {}, {"group"}});
    EXPECT_THAT(csv, testing::EndsWith("," + std::string(c.want) + "\n"));
  }
}

}  // namespace
}  // namespace ridgeline::app
