#include <gmock/gmock.h>

#include "stages/ncu/ncu.h"

namespace ridgeline::stages {
namespace {

using testing::HasSubstr;

// Output and exit code of ncu in each case.
TEST(NcuOutcomeTest, KnowsEveryWayInWhichNcuEnds) {
  struct Case {
    const char* what;
    int exit_code;
    const char* log;
    bool has_report;
    const char* verdict;
    const char* cause;
  };
  const Case cases[] = {
      {"all is well", 0, "==PROF== Report: run.ncu-rep\n", true, "Profiled", ""},
      {"no kernels, and ends well", 0,
       "page 1\n==WARNING== No kernels were profiled.\n==WARNING== Profiling kernels "
       "launched by child processes requires the --target-processes all option.\n",
       false, "NoKernels", "the program launched none"},
      {"counters are not for us", 1,
       "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA "
       "GPU Performance Counters on the target device 0.\n==WARNING== No kernels were "
       "profiled.\n",
       false, "PermissionDenied", "NVreg_RestrictProfilingToAdminUsers=0"},
      {"the program fails", 7,
       "==PROF== Disconnected\n==ERROR== The application returned an error code (7).\n",
       true, "WorkloadFailed", "exit code 7"},
      {"a section that is not there", 255,
       "==ERROR== Option '--section Bogus' did not match any section.\n", false,
       "ArgumentRefused", "--section Bogus"},
      {"a value that is not there", 255,
       "the argument for option '--replay-mode' is invalid\n\nUse --help.\n", false,
       "ArgumentRefused", "--replay-mode"},
      {"a set that is not there", 0,
       "==WARNING== No metrics to collect found in "
       "sections.\n==WARNING== No kernels were profiled.\n",
       false, "NoMetrics", "No metrics to collect"},
      {"an old driver", 1,
       "==ERROR== Cuda driver is not compatible with Nsight Compute\n", false,
       "ToolTooOld", "driver"},
      {"something else", 1, "==ERROR== Failed to profile kernel \"gemm\".\n", false,
       "ToolFailed", "Failed to profile kernel"},
      {"a kernel that was not profiled, and ends well", 0,
       "==ERROR== Failed to profile \"gemm\" in process 1\n", true, "ToolFailed",
       "Failed to profile"},
      {"a warning beside a report", 0, "==WARNING== No metrics to collect found in x\n",
       true, "Profiled", ""},
      {"killed", 137, "", false, "ToolFailed", "137"},
      {"nothing at all", 0, "", false, "NoReport", "no report"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    os::ProcessResult process;
    process.exit_code = c.exit_code;
    const NcuOutcome outcome = ClassifyNcu(process, c.log, c.has_report);
    EXPECT_EQ(Name(outcome.verdict), c.verdict);
    EXPECT_THAT(outcome.cause, HasSubstr(c.cause));
    EXPECT_EQ(outcome.failed(), std::string(c.verdict) != "Profiled");
  }
  os::ProcessResult late;
  late.timed_out = true;
  EXPECT_EQ(Name(ClassifyNcu(late, "", false).verdict), "TimedOut");
}

}  // namespace
}  // namespace ridgeline::stages
