#include "app/run/run_printer.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ridgeline::app {
namespace {

using artifacts::State;
using pipeline::Progress;

TEST(DurationTextTest, ScalesWithTheTime) {
  struct Case {
    double seconds;
    const char* want;
  };
  for (const Case& c : {Case{0, "0.0 s"}, Case{12.34, "12.3 s"}, Case{99.94, "99.9 s"},
                        Case{99.96, "1 min 40 s"}, Case{245, "4 min 05 s"},
                        Case{3599.6, "1 h 00 min"}, Case{7380, "2 h 03 min"}}) {
    EXPECT_EQ(DurationText(c.seconds), c.want);
  }
}

TEST(ProgressLineTest, HasRateAndTimeLeftSinceTheFirstProgress) {
  struct Step {
    double elapsed_s;
    std::optional<Progress> progress;
    const char* want;
  };
  struct Case {
    const char* what;
    std::vector<Step> steps;
  };
  const Case cases[] = {
      {"starting takes no part in the rate",
       {{2, std::nullopt, "2.0 s"},
        {10, Progress{0, 20, "pages"}, "10.0 s  0/20 pages"},
        {20, Progress{5, 20, "pages"}, "20.0 s  5/20 pages  0.5 pages/s  30.0 s left"},
        {20, Progress{20, 20, "pages"}, "20.0 s  20/20 pages  2 pages/s"}}},
      {"resumed after 10 pages",
       {{1, Progress{10, 20, "pages"}, "1.0 s  10/20 pages"},
        {5, Progress{12, 20, "pages"}, "5.0 s  12/20 pages  0.5 pages/s  16.0 s left"}}},
      {"a second program of the stage",
       {{10, Progress{5, 5, ""}, "10.0 s  5/5"},
        {20, Progress{1, 5, ""}, "20.0 s  1/5"},
        {22, Progress{2, 5, ""}, "22.0 s  2/5  0.5/s  6.0 s left"}}},
      {"no total",
       {{0, Progress{0, std::nullopt, ""}, "0.0 s  0"},
        {10, Progress{5, std::nullopt, ""}, "10.0 s  5  0.5/s"}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    ProgressLine line;
    for (const Step& step : c.steps) {
      EXPECT_EQ(line.Text(step.elapsed_s, step.progress), step.want);
    }
  }
}

artifacts::StageRecord Stage(State state, const std::string& why) {
  artifacts::StageRecord stage;
  stage.name = "nsys";
  stage.state = state;
  stage.reason = why;
  stage.wall_s = 2;
  return stage;
}

TEST(RunPrinterTest, RedrawsOneLineOnATerminalAndCutsItToItsWidth) {
  std::ostringstream out;
  RunPrinter printer(out,
                     {.verbosity = RunOptions::Verbosity::kNormal, .live_columns = 36});
  printer.StageStarted(Stage(State::kRunning, ""));
  printer.StageProgress("nsys", 1, std::nullopt);
  printer.StageProgress("nsys", 2, Progress{1, 4, "pages"});
  printer.StageEnded(Stage(State::kDone, ""), "run.nsys-rep");
  EXPECT_EQ(out.str(),
            "\r\x1b[Kridgeline: nsys              1.0 s"
            "\r\x1b[Kridgeline: nsys              2.0 s "
            "\r\x1b[Kridgeline: nsys              2.0 s  run.nsys-rep\n");
}

TEST(RunPrinterTest, WritesPlainLinesElsewhere) {
  std::ostringstream out;
  RunPrinter printer(out, {});
  printer.StageStarted(Stage(State::kRunning, ""));
  printer.StageProgress("nsys", 1, std::nullopt);
  printer.StageEnded(Stage(State::kSkipped, "nsys is not installed"), "");
  printer.StageStarted(Stage(State::kRunning, ""));
  EXPECT_EQ(out.str(),
            "ridgeline: nsys              started\n"
            "ridgeline: nsys              skipped: nsys is not installed\n"
            "ridgeline: nsys              started\n");
}

TEST(RunPrinterTest, StagesSkippedForOneReasonShareALine) {
  std::ostringstream out;
  RunPrinter printer(out, {});
  artifacts::StageRecord other = Stage(State::kSkipped, "not a Python program");
  other.name = "torch_profiler";
  printer.StageEnded(Stage(State::kSkipped, "not a Python program"), "");
  printer.StageEnded(other, "");
  other.reason = "no GPU";
  printer.StageEnded(other, "");
  other.notes = {"a note"};
  printer.StageEnded(other, "");
  printer.RunEnded({.state = State::kDone});
  EXPECT_EQ(out.str(),
            "ridgeline: nsys, torch_profiler skipped: not a Python program\n"
            "ridgeline: torch_profiler    skipped: no GPU\n"
            "ridgeline: torch_profiler    skipped: no GPU\n"
            "ridgeline:   a note\n"
            "ridgeline: run done\n");
}

TEST(RunPrinterTest, WritesProgressToALogOnceAMinute) {
  std::ostringstream out;
  RunPrinter printer(out, {});
  printer.StageProgress("nsys", 59, Progress{0, 90, "pages"});
  printer.StageProgress("nsys", 60, Progress{1, 90, "pages"});
  printer.StageProgress("nsys", 119, Progress{60, 90, "pages"});
  printer.StageProgress("nsys", 120, std::nullopt);
  printer.StageProgress("nsys", 121, Progress{62, 90, "pages"});
  EXPECT_EQ(out.str(),
            "ridgeline: nsys              60.0 s  1/90 pages  1 pages/s  89.0 s left\n"
            "ridgeline: nsys              2 min 01 s  62/90 pages  1 pages/s  28.0 s "
            "left\n");
}

TEST(RunPrinterTest, SaysHowAFailedStageWouldGoOn) {
  std::ostringstream out;
  RunPrinter printer(out, {});
  artifacts::Manifest manifest;
  manifest.state = State::kFailed;
  manifest.reason = "1 of 1 stages failed";
  manifest.arguments = {"+experiment=demo",
                        "++pipeline.nsys.nvtx_capture=decod",
                        "nsys.nvtx_capture=decod",
                        "user.note=a b",
                        "--",
                        "pipeline.nsys.nvtx_capture=x"};
  manifest.stages = {Stage(State::kFailed, "NoRangeHit: no range"),
                     Stage(State::kDone, "")};
  manifest.stages[0].retry_overrides = {"pipeline.nsys.nvtx_capture=decode@*"};
  printer.RunEnded(manifest);
  EXPECT_EQ(out.str(),
            "ridgeline: run failed: 1 of 1 stages failed\n"
            "ridgeline: hint: rerun with: ridgeline run +experiment=demo "
            "'user.note=a b' 'pipeline.nsys.nvtx_capture=decode@*' -- "
            "pipeline.nsys.nvtx_capture=x\n");
}

TEST(RunPrinterTest, SaysHowToResumeAndWhatWasKept) {
  std::ostringstream out;
  RunPrinter printer(out, {});
  artifacts::Manifest manifest;
  manifest.directory = "/tmp/my run";
  manifest.workload = "./serve";
  manifest.stages = {Stage(State::kDone, ""), Stage(State::kPending, "")};
  printer.RunStarted(manifest);
  manifest.state = State::kInterrupted;
  manifest.reason = "signal 2";
  printer.RunEnded(manifest);
  EXPECT_EQ(out.str(),
            "ridgeline: run /tmp/my run\n"
            "ridgeline: workload ./serve\n"
            "ridgeline: keeping the results of nsys\n"
            "ridgeline: run interrupted: signal 2\n"
            "ridgeline: hint: resume with: ridgeline run --resume '/tmp/my run'\n");
}

}  // namespace
}  // namespace ridgeline::app
