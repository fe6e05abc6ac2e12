#include <gmock/gmock.h>

#include "report/printers/printers.h"

namespace ridgeline::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// The lines of a report that has only this advice.
std::string AdviceLines(const std::string& verdict) {
  Document document;
  document.advice.push_back({.verdict = verdict});
  return ToTerminal(document);
}

TEST(TerminalTest, NumbersKeepTheirUnitsWhenLinesAreWrapped) {
  for (const std::string number :
       {"3.11 s", "95 % CI", "+/- 5 %", "(95 %", "22.8 us", "n=6 samples"}) {
    for (size_t before = 80; before < 100; ++before) {
      const std::string text =
          AdviceLines(std::string(before, 'x') + " " + number + " and more words");
      EXPECT_THAT(text, HasSubstr(number)) << text;
    }
  }
}

TEST(TerminalTest, LinesWithoutAPlaceToBreakAreCut) {
  const std::string digits(150, '1');
  EXPECT_THAT(AdviceLines(digits + " " + digits),
              HasSubstr(std::string(100, '1') + "\n"));
}

TEST(TerminalTest, AdviceHasItsActionAndDoesNotRepeatTheLineAbove) {
  Document document;
  document.operators = {{.source = "a.json", .name = "aten::mm", .share = 0.5}};
  document.advice = {{.rule = "top_operator",
                      .verdict = "'aten::mm' takes 50 % of operator self time",
                      .action = "Use larger batches"}};
  EXPECT_THAT(ToTerminal(document),
              EndsWith("  advice                 aten::mm: Use larger batches\n"));
  document.operators[0].name = "aten::add";
  EXPECT_THAT(ToTerminal(document),
              EndsWith("  advice                 'aten::mm' takes 50 % of operator self "
                       "time. Use larger batches\n"));
}

TEST(TerminalTest, StagesThatDidNotCompleteAreNamedIfTheyCouldHave) {
  using artifacts::State;
  const auto stage = [](const char* name, State state, const char* reason) {
    StageRow row{.name = name, .state = state};
    if (*reason != '\0') row.reason = reason;
    return row;
  };
  const char* const kNotPython = "not a Python program (...)";
  Document document;
  document.advice = {{.rule = "not_complete", .doubt = true, .verdict = "with reasons"}};
  document.run.arguments = {"++pipeline.torch_profiler.enable=true", "--", "./program"};
  document.stages = {stage("static_analysis", State::kSkipped, kNotPython),
                     stage("torch_profiler", State::kSkipped, kNotPython),
                     stage("direct_inference", State::kDone, "")};
  EXPECT_EQ(ToTerminal(document),
            "  warning                1 of 3 stages did not complete: torch_profiler\n");
  document.stages[2] = stage("nsys", State::kFailed, "NoRangeHit: none");
  EXPECT_EQ(ToTerminal(document),
            "  warning                2 of 3 stages did not complete: torch_profiler, "
            "nsys\n");
  document.stages = {stage("nsys", State::kDone, "")};
  EXPECT_THAT(ToTerminal(document), HasSubstr("with reasons"));
}

TEST(TerminalTest, FilesAreNamedIfThereAreSeveral) {
  Document document;
  document.run.state = kImported;
  document.sources = {{.file = "a.sqlite"}, {.file = "b.json"}};
  document.devices = {{.source = "a.sqlite", .device = "0", .span_s = 2, .busy_s = 1}};
  document.operators = {{.source = "b.json", .name = "aten::mm", .share = 0.5}};
  document.kernels = {{.source = "a.sqlite", .name = "gemm", .total_s = 1, .share = 1}};
  const std::string text = ToTerminal(document);
  EXPECT_THAT(text, HasSubstr("busy 1.00 s of 2.00 s in a.sqlite\n"));
  EXPECT_THAT(text, HasSubstr("aten::mm, 50 % of operator self time in b.json\n"));
  EXPECT_THAT(text, EndsWith("100 % of kernel time in a.sqlite\n"));
  document.sources.pop_back();
  EXPECT_THAT(ToTerminal(document), Not(HasSubstr(" in a.sqlite")));
}

TEST(TerminalTest, KernelsAreSummedOverGpus) {
  Document document;
  document.run.state = kImported;
  document.sources = {{.file = "a.sqlite"}};
  document.devices = {{.source = "a.sqlite", .device = "1", .span_s = 9, .busy_s = 5},
                      {.source = "a.sqlite", .device = "0", .span_s = 9, .busy_s = 5}};
  document.kernels = {
      {.source = "a.sqlite", .device = "1", .name = "all", .total_s = 3, .share = 0.3},
      {.source = "a.sqlite", .device = "1", .name = "each", .total_s = 2, .share = 0.2},
      {.source = "a.sqlite", .device = "0", .name = "each", .total_s = 2, .share = 0.2}};
  const std::string text = ToTerminal(document);
  EXPECT_THAT(text, HasSubstr("GPU 1 of 2 "));
  EXPECT_THAT(text, HasSubstr("each, 40 % of kernel time"));
}

TEST(TerminalTest, FilesOfARunAreNamedIfATableHasSeveral) {
  Document document;
  document.run.state = "done";
  document.sources = {{.file = "nsys/run.sqlite"}, {.file = "nsys/run.2.sqlite"}};
  document.devices = {{.source = "nsys/run.sqlite", .device = "0"}};
  EXPECT_THAT(ToTerminal(document), Not(HasSubstr(" in nsys")));
  document.devices.push_back({.source = "nsys/run.2.sqlite", .device = "0"});
  EXPECT_THAT(ToTerminal(document), HasSubstr(" in nsys/run.sqlite"));
}

}  // namespace
}  // namespace ridgeline::report
