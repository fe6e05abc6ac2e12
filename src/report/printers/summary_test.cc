#include <gmock/gmock.h>

#include "os/testing/golden.h"
#include "report/advice/advice.h"
#include "report/printers/printers.h"
#include "report/testing/saved_document.h"

namespace ridgeline::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Document WithAdvice(Document document) {
  document.advice = AdviceOn(document);
  return document;
}

TEST(SummaryTest, IsAPageForPeopleWhoDecide) {
  for (const char* name : {"gpu_run", "cpu_run"}) {
    os::ExpectGolden(std::string("reports/run_stakeholder_") + name + ".md",
                     SummaryMarkdown(WithAdvice(SavedDocument(name))));
  }
}

TEST(SummaryTest, SaysWhatIsNotKnownOfProfilesThatNoRunMade) {
  Document report = SavedDocument("cpu_run");
  report.run = {};
  report.verdict = {};
  report.stages.clear();
  const std::string text = SummaryMarkdown(WithAdvice(report));
  EXPECT_THAT(text, HasSubstr("# Summary of imported profiles\n\n1 file.\n"));
  EXPECT_THAT(text, Not(HasSubstr("parity")));
  EXPECT_THAT(text, Not(HasSubstr("pipeline.nsys.enable")));
}

TEST(SummaryTest, NamesTheExperiment) {
  Document report = SavedDocument("cpu_run");
  report.config = {{"device", "cpu"}, {"experiment", "long_pages"}};
  EXPECT_THAT(SummaryMarkdown(report),
              StartsWith("# Summary of run 20260102-000000 (long_pages)\n"));
  EXPECT_THAT(ToMarkdown(report), HasSubstr(" (long_pages)\n"));
  for (const char* none : {"null", "stage1"}) {
    report.config = {{"experiment", none}};
    EXPECT_THAT(SummaryMarkdown(report),
                StartsWith("# Summary of run 20260102-000000\n"));
  }
  report.run.id = "2";
  EXPECT_THAT(SummaryMarkdown(report), StartsWith("# Summary of job 2\n"));
  EXPECT_THAT(ToMarkdown(report), StartsWith("# Report: job 2\n"));
}

TEST(SummaryTest, ReasonsAreNotesWithTheNameOfAnOutcome) {
  const struct {
    Texts notes;
    const char* want;
  } cases[] = {
      {{"nsys/run.nsys-rep contains the process environment",
        "NoKernels: no CUDA calls in the capture"},
       "- GPU timeline (nsys): no CUDA calls in the capture (note NoKernels).\n"},
      {{"nsys/run.nsys-rep contains the process environment", "Warning: a note"},
       "- GPU timeline (nsys): nsys completed, but recorded none.\n"},
      {{}, "- GPU timeline (nsys): nsys completed, but recorded none.\n"},
  };
  for (const auto& c : cases) {
    Document report = SavedDocument("cpu_run");
    report.devices.clear();
    report.stages = {{.name = "nsys", .state = artifacts::State::kDone}};
    report.stages[0].notes = c.notes;
    EXPECT_THAT(SummaryMarkdown(report), HasSubstr(c.want));
  }
}

TEST(SummaryTest, APythonProgramHasNoRoofline) {
  Document report = SavedDocument("cpu_run");
  report.ledger.reset();
  report.stages = {{.name = "static_analysis", .state = artifacts::State::kDone}};
  EXPECT_THAT(SummaryMarkdown(report),
              HasSubstr("- Roofline of the model: static_analysis completed, but"));
  report.sources.push_back({.file = "a.json", .format = "call_metrics"});
  EXPECT_THAT(
      SummaryMarkdown(report),
      HasSubstr("- MFU: needs shapes (`pipeline.torch_profiler.record_shapes=true`) and "
                "the profiled call in the unprofiled run. Roofline: only for built-in "
                "models.\n"));
}

TEST(SummaryTest, OnlyModelsWithAReferenceAreComparedWithIt) {
  Document report = SavedDocument("cpu_run");
  report.verdict.parity = artifacts::Parity::kNotChecked;
  report.run.workload = "built-in model deepseek_ocr";
  EXPECT_THAT(SummaryMarkdown(report),
              HasSubstr("- Output not compared with a reference.\n"));
  report.run.workload = "python3 generate.py";
  EXPECT_THAT(SummaryMarkdown(report), Not(HasSubstr("reference")));
}

TEST(SummaryTest, NeedsNothing) {
  EXPECT_THAT(SummaryMarkdown({}), HasSubstr("# Summary of imported profiles"));
}

}  // namespace
}  // namespace ridgeline::report
