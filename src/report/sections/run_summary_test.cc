#include "report/sections/run_summary.h"

#include <gmock/gmock.h>

#include "os/testing/golden.h"
#include "report/advice/advice.h"
#include "report/testing/saved_report.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

Json WithAdvice(Json report) {
  report["advice"] = AdviceOf(report);
  return report;
}

TEST(RunSummaryTest, IsAPageForPeopleWhoDecide) {
  for (const char* name : {"gpu_run", "cpu_run"}) {
    os::ExpectGolden(std::string("reports/run_stakeholder_") + name + ".md",
                     RunStakeholderMarkdown(WithAdvice(SavedReport(name))));
  }
}

TEST(RunSummaryTest, SaysWhatIsNotKnownOfProfilesThatNoRunMade) {
  Json report = SavedReport("cpu_run");
  report["run"] = {{"id", ""}, {"state", "imported"}, {"workload", nullptr}};
  report["verdict"] = {{"valid", nullptr}, {"complete", false}, {"notes", 0}};
  report["stages"] = Json::array();
  const std::string text = RunStakeholderMarkdown(WithAdvice(report));
  EXPECT_THAT(text, HasSubstr("# Summary of imported profiles\n\n1 file.\n"));
  EXPECT_THAT(text, Not(HasSubstr("parity")));
  EXPECT_THAT(text, Not(HasSubstr("pipeline.nsys.enable")));
}

TEST(RunSummaryTest, NeedsNothing) {
  EXPECT_THAT(RunStakeholderMarkdown(Json::object()), HasSubstr("# Summary of run"));
  EXPECT_THAT(RunStakeholderMarkdown(Json()), HasSubstr("# Summary of run"));
}

}  // namespace
}  // namespace ridgeline::report
