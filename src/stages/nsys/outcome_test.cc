#include <gmock/gmock.h>

#include "stages/nsys/nsys.h"

namespace ridgeline::stages {
namespace {

using testing::HasSubstr;

os::ProcessResult ExitCode(int code) {
  os::ProcessResult result;
  result.exit_code = code;
  return result;
}

const NsysOptions kWhole;
const NsysOptions kGated = {.capture_range = "nvtx", .nvtx_capture = {"decode"}};

NsysOptions GatedUntil(const std::string& end,
                       const std::vector<std::string>& extra = {}) {
  NsysOptions options = kGated;
  options.capture_range_end = end;
  options.extra_args = extra;
  return options;
}

// Actual behavior of nsys in each case, including exit code and files.
TEST(NsysOutcomeTest, KnowsEveryWayInWhichNsysEnds) {
  os::ProcessResult left = ExitCode(0);
  left.leftover_processes = 1;
  os::ProcessResult late = ExitCode(143);
  late.timed_out = true;
  os::ProcessResult crashed = ExitCode(139);
  crashed.signal = 11;
  const NsysLog nothing;
  const NsysLog finished = {.finished = true};  // Regardless of the program's outcome.
  struct Case {
    const char* what;
    NsysOptions options;
    NsysEnd end;
    const char* verdict;
    bool failed;
    const char* cause;
  };
  const Case cases[] = {
      {"all is well", kWhole, {ExitCode(0), nothing, 1}, "Captured", false, ""},
      {"the program fails",
       kWhole,
       {ExitCode(7), nothing, 1},
       "WorkloadFailed",
       true,
       "exit code 7; the report up to that point is kept"},
      {"the program crashes",
       kWhole,
       {ExitCode(139), finished, 0},
       "WorkloadFailed",
       true,
       "no report was written"},
      {"the report is in the way",
       kWhole,
       {ExitCode(0),
        {.generated = {"/tmp/x.nsys-rep"}, .not_created = "/r/run.nsys-rep"},
        1},
       "ReportRedirected",
       true,
       "/r/run.nsys-rep already existed (force_overwrite=false), so nsys wrote its "
       "report outside the run directory: /tmp/x.nsys-rep"},
      {"the range is never opened, or with strings that nsys passes over",
       kGated,
       {ExitCode(0), nothing, 0},
       "NoRangeHit",
       true,
       "NVTX range 'decode' was never opened"},
      {"the range ends the program unasked",
       GatedUntil("stop"),
       {ExitCode(143), nothing, 1},
       "WorkloadFailed",
       true,
       "143"},
      {"the range ends the program by default of nsys",
       kGated,
       {ExitCode(143), nothing, 1},
       "KilledByRangeEnd",
       false,
       "capture_range_end=null"},
      {"the range ends the program, as asked",
       GatedUntil("stop-shutdown"),
       {ExitCode(143), nothing, 1},
       "KilledByRangeEnd",
       false,
       "capture_range_end=stop-shutdown"},
      {"the range ends the program, and nsys does not wait for that",
       GatedUntil("stop-shutdown"),
       {ExitCode(0), {.ranges_started = 1, .ranges_ended = 1}, 1},
       "KilledByRangeEnd",
       false,
       "capture_range_end=stop-shutdown"},
      {"the program ends inside the range that would end it",
       GatedUntil("stop-shutdown"),
       {ExitCode(0), {.ranges_started = 1}, 1},
       "Captured",
       false,
       ""},
      {"the second range ends the program",
       GatedUntil("repeat-shutdown:2"),
       {ExitCode(0), {.ranges_started = 2, .ranges_ended = 2}, 2},
       "KilledByRangeEnd",
       false,
       "capture_range_end=repeat-shutdown:2"},
      {"the range ends, and the program runs on",
       GatedUntil("stop"),
       {ExitCode(0), {.ranges_started = 1, .ranges_ended = 1}, 1},
       "Captured",
       false,
       ""},
      {"nsys ends before the program",
       GatedUntil("stop-shutdown", {"--kill=none"}),
       {left, {.ranges_started = 1, .ranges_ended = 1}, 1},
       "LeftRunning",
       false,
       "--kill=none"},
      {"the same, said in two words",
       GatedUntil("stop-shutdown", {"--kill", "none"}),
       {left, nothing, 1},
       "LeftRunning",
       false,
       "--kill=none"},
      {"captured to the end",
       GatedUntil("none"),
       {ExitCode(0), nothing, 1},
       "Captured",
       false,
       ""},
      {"two of two ranges",
       GatedUntil("repeat:2"),
       {ExitCode(0), nothing, 2},
       "Captured",
       false,
       ""},
      {"one of two ranges",
       GatedUntil("repeat:2"),
       {ExitCode(0), nothing, 1},
       "FewerRanges",
       false,
       "only 1 was captured (a built-in model opens more with a higher run.repeats)"},
      {"a flag that this nsys lacks",
       kWhole,
       {ExitCode(1), {.refused = "unrecognised option '--x'"}, 0},
       "ArgumentRefused",
       true,
       "unrecognised option '--x'"},
      {"nsys breaks",
       kWhole,
       {ExitCode(1), {.broke = "Local Endpoint is not available."}, 0},
       "ToolFailed",
       true,
       "Local Endpoint is not available"},
      {"nsys breaks without a word that we know",
       kWhole,
       {ExitCode(1), nothing, 0},
       "ToolFailed",
       true,
       "no report and no error message"},
      {"the program fails, and its report cannot be made",
       kWhole,
       {ExitCode(1), {.generated = {"/r/run.qdstrm"}, .finished = true}, 0},
       "WorkloadFailed",
       true,
       "no report was written"},
      {"nsys dies",
       kWhole,
       {crashed, nothing, 0},
       "ToolFailed",
       true,
       "killed by signal 11"},
      {"nsys dies after it wrote a report",
       kWhole,
       {crashed, finished, 1},
       "ToolFailed",
       true,
       "killed by signal 11"},
      {"nsys breaks before the range is opened",
       kGated,
       {ExitCode(1), nothing, 0},
       "ToolFailed",
       true,
       "exit code 1, no report"},
      {"one of nsys's processes dies, and a report is there",
       kWhole,
       {ExitCode(1), {.broke = "End of file"}, 1},
       "ToolFailed",
       true,
       "End of file"},
      {"nsys complains, and captures all the same",
       kWhole,
       {ExitCode(0), {.finished = true, .broke = "End of file"}, 1},
       "Captured",
       false,
       "End of file"},
      {"nsys writes an empty report",
       kWhole,
       {ExitCode(0), finished, 1, 1},
       "ToolFailed",
       true,
       "empty report"},
      {"the program fails before the range is opened",
       kGated,
       {ExitCode(1), finished, 0},
       "WorkloadFailed",
       true,
       "no report was written"},
      {"the program cannot be started",
       kWhole,
       {ExitCode(1), {.not_started = "No such file or directory: ./x"}, 0},
       "WorkloadFailed",
       true,
       "no report was written"},
      {"it takes too long", kWhole, {late, nothing, 0}, "TimedOut", true, "nsys.log"},
      {"nsys ends early, as if nothing had happened",
       kWhole,
       {ExitCode(0), nothing, 0},
       "ToolFailed",
       true,
       "exit code 0, no report and no error message"},
      {"no report, and nobody knows why",
       kWhole,
       {ExitCode(0), finished, 0},
       "NoReport",
       true,
       "nsys.log"},
      {"a range that was opened, but nothing came of it",
       kGated,
       {ExitCode(0), {.ranges_started = 1}, 0},
       "NoReport",
       true,
       "nsys.log"},
      {"the capture never started",
       {.capture_range = "cudaProfilerApi"},
       {ExitCode(0), nothing, 0},
       "NoRangeHit",
       true,
       "capture_range=cudaProfilerApi"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const NsysOutcome outcome = Classify(c.options, "decode", c.end);
    EXPECT_EQ(Name(outcome.verdict), c.verdict);
    EXPECT_EQ(outcome.failed(), c.failed);
    EXPECT_THAT(outcome.cause, HasSubstr(c.cause));
    EXPECT_THAT(outcome.ToString(), testing::StartsWith(c.verdict));
  }
}

}  // namespace
}  // namespace ridgeline::stages
