#include "stages/nsys/log.h"

#include <gmock/gmock.h>

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NsysLogTest, ReadsWhatWasGenerated) {
  const NsysLog log = ParseNsysLog(
      "page 1 of 2: 3 tokens\n"
      "Capture range started in the application.\n"
      "Generating '/tmp/nsys-report-df80.qdstrm'\n"
      "Capture range ended in the application.\n"
      "Capture range started in the application.\n"
      "\r[1/2] [0%  ] e.1.nsys-rep\r[1/2] [==100%] e.1.nsys-rep\n"
      "Generated:\n    /runs/a b/e.1.nsys-rep\n    /runs/a b/e.2.nsys-rep\n");
  EXPECT_THAT(log.generated,
              ElementsAre("/runs/a b/e.1.nsys-rep", "/runs/a b/e.2.nsys-rep"));
  EXPECT_EQ(log.ranges_started, 2);
  EXPECT_EQ(log.ranges_ended, 1);
  EXPECT_FALSE(log.importer_missing);
  EXPECT_THAT(log.refused, IsEmpty());
}

TEST(NsysLogTest, SeesThatNothingWasGenerated) {
  const NsysLog log = ParseNsysLog("Generated:\n");
  EXPECT_THAT(log.generated, IsEmpty());
  EXPECT_EQ(log.ranges_started, 0);
}

TEST(NsysLogTest, SeesAReportThatWentElsewhere) {
  const NsysLog log = ParseNsysLog(
      "Failed to create '/runs/run.nsys-rep': File exists.\n"
      "Use `--force-overwrite true` to overwrite existing files.\n"
      "Generated:\n    /tmp/nsys-report-10da.nsys-rep\n");
  EXPECT_EQ(log.not_created, "/runs/run.nsys-rep");
  EXPECT_THAT(log.generated, ElementsAre("/tmp/nsys-report-10da.nsys-rep"));
}

TEST(NsysLogTest, SeesAMissingImporter) {
  EXPECT_TRUE(ParseNsysLog("Importer error status: x\nUnable to retrieve the importer "
                           "version: skipping importation of the QDSTRM file.\n")
                  .importer_missing);
}

TEST(NsysLogTest, SeesWhatWasRefused) {
  const char* const refusals[] = {"unrecognised option '--frobnicate=1'",
                                  "Illegal --trace argument 'zap'"};
  for (const char* refusal : refusals) {
    EXPECT_EQ(ParseNsysLog(std::string(refusal) + "\n\nusage: nsys profile\n").refused,
              refusal);
  }
}

TEST(NsysLogTest, SeesThatNsysBroke) {
  EXPECT_EQ(ParseNsysLog("Throw location unknown\n[QuadDCommon::tag_message*] = Local "
                         "Endpoint is not available.\n")
                .broke,
            "Local Endpoint is not available.");
  EXPECT_EQ(ParseNsysLog("[boost::errinfo_api_function_*] = sem_open\n").broke,
            "sem_open failed in nsys.");
  EXPECT_EQ(ParseNsysLog("Connection reset by peer\n").broke, "Connection reset by peer");
  for (const char* line :
       {"End of file", "Broken pipe", "terminate called without an active exception",
        "nsys: line 3: 17 Segmentation fault (core dumped) nsys-agent"}) {
    EXPECT_EQ(ParseNsysLog(std::string(line) + "\n").broke, line);
  }
  EXPECT_EQ(ParseNsysLog("The target application terminated with signal 11 "
                         "(core dumped)\n")
                .broke,
            "");
  EXPECT_EQ(ParseNsysLog("curl: Connection reset by peer\n").broke, "");
}

TEST(NsysLogTest, SeesThatThereIsNoProgram) {
  const char* const lines[] = {
      "No such file or directory: ./absent",
      "Unknown executable format. Is the \"#!\" sequence missing?"};
  for (const char* line : lines) {
    EXPECT_EQ(ParseNsysLog(std::string("WARNING: x\n") + line + "\n").not_started, line);
  }
}

// A program may print anything.
TEST(NsysLogTest, IsNotFooledByPathsElsewhere) {
  const NsysLog log = ParseNsysLog("    /etc/passwd\nGenerated: two\n    /a\n");
  EXPECT_THAT(log.generated, IsEmpty());
}

TEST(NsysLogTest, ReadsWhatStatsSkipped) {
  const NsysStatsLog log = ParseNsysStatsLog(
      "ERROR: Report 'cuda_gpu_kern_sum' could not be found.\n"
      "Processing [x.sqlite] with [/usr/lib/reports/gpukernsum.py] to [s.csv]... "
      "SKIPPED: "
      "x.sqlite does not contain CUDA kernel data.\n"
      "Processing [x.sqlite] with [/usr/lib/reports/nvtxsum.py] to [t.csv]... "
      "PROCESSED\n");
  EXPECT_THAT(log.unknown, ElementsAre("cuda_gpu_kern_sum"));
  EXPECT_THAT(log.empty, ElementsAre("gpukernsum"));
}

}  // namespace
}  // namespace ridgeline::stages
