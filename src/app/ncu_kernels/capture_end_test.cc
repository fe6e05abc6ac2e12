#include "app/ncu_kernels/capture_end.h"

#include <gmock/gmock.h>

namespace ridgeline::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NcuLog, FindsItsLinesInPieces) {
  NcuLog talk;
  talk.Add("hello\n==PROF== Connected\n==ERR");
  talk.Add("OR== one\n==WARNING== two\nnot ==ERROR== three\n");
  talk.Add(std::string(100000, 'x') + "\n==ERROR== four");
  talk.Add("\n");
  EXPECT_THAT(talk.lines(),
              ElementsAre("==ERROR== one", "==WARNING== two", "==ERROR== four"));
}

// Messages are from ncu 2022.3.
TEST(CaptureOutcome, TellsEndsApart) {
  struct Case {
    int exit_code;
    const char* output;
    bool has_report;
    std::optional<int> application;
    const char* error;  // Empty: none.
  };
  const char* const none = "==WARNING== No kernels were profiled.\n";
  const char* const failed =
      "==ERROR== The application returned an error code (7).\n"
      "==WARNING== No kernels were profiled.\n";
  const Case cases[] = {
      {0, "==PROF== Report: x.ncu-rep\n", true, std::nullopt, ""},
      {0, none, false, std::nullopt, ""},
      {7, failed, false, 7, ""},
      {7, "==ERROR== The application returned an error code (7).\n", true, 7, ""},
      {255, "unrecognised option '--bogus'\n\nUse --help for further details.\n", false,
       std::nullopt, "ncu failed (exit code 255): unrecognised option '--bogus'"},
      {255, "==ERROR== Invalid regex provided to --kernel-id option.\n", false,
       std::nullopt,
       "ncu failed (exit code 255): Invalid regex provided to --kernel-id option."},
      {0, "", false, std::nullopt, "ncu failed (exit code 0): ncu wrote no report"},
      {1, "Segmentation fault\n", false, std::nullopt,
       "ncu failed (exit code 1): Segmentation fault"},
      {0, "==ERROR== Failed to profile \"gemm\" in process 1\n", true, std::nullopt,
       "ncu failed (exit code 0): Failed to profile \"gemm\" in process 1"},
      {1,
       "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA "
       "GPU Performance Counters on the target device 0.\n==WARNING== No kernels were "
       "profiled.\n",
       false, std::nullopt,
       "ncu failed (exit code 1): GPU performance counters are restricted to "
       "administrators; as root: modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0 "
       "(permanent: in /etc/modprobe.d), or start the container with CAP_SYS_ADMIN"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.output);
    NcuLog talk;
    talk.Add(c.output);
    os::ProcessResult ran;
    ran.exit_code = c.exit_code;
    ran.output = c.output;
    const Result<CaptureOutcome> end = ReadCaptureEnd(ran, talk, c.has_report);
    if (!end.ok()) {
      EXPECT_EQ(end.error().message(), c.error);
      continue;
    }
    EXPECT_STREQ(c.error, "");
    EXPECT_EQ(end.value().has_report, c.has_report);
    EXPECT_EQ(end.value().application_exit_code, c.application);
  }
}

}  // namespace
}  // namespace ridgeline::app
