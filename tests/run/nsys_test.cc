// Captures with the real nsys: each of the ways in which one can end has its word in the
// manifest, its sentence and its exit code.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

class NsysRun : public Playground {
 protected:
  void SetUp() override {
    if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  }

  // The example: 2 pages, 2 steps of decoding each, 1 ms in each range.
  static std::vector<std::string> Example() {
    return {RIDGELINE_NVTX_WORKLOAD, "2", "2", "1"};
  }
  // Still runs when nsys kills it at the end of its first range.
  static std::vector<std::string> LongExample() {
    return {RIDGELINE_NVTX_WORKLOAD, "1000", "1", "10"};
  }
  static std::vector<std::string> Overrides(const std::vector<std::string>& command,
                                            const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "run", "hydra.run.dir=out", "pipeline.nsys.enable=true",
        "pipeline.nsys.trace='nvtx'",
        "pipeline.workload.command=" + ListOverride(command)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  ProgramEnd Capture(const std::vector<std::string>& command,
                     const std::vector<std::string>& more = {}) {
    return Ridgeline(Overrides(command, more));
  }
  static std::vector<std::string> Gated(const std::string& label,
                                        std::vector<std::string> more = {}) {
    more.emplace_back("pipeline.nsys.capture_range=nvtx");
    more.push_back("pipeline.nsys.nvtx_capture=" + label);
    return more;
  }

  artifacts::StageRecord Stage() { return *ManifestOf(directory() / "out").Find("nsys"); }
  fs::path Out(const std::string& file) { return directory() / "out/nsys" / file; }
  // Too large to be shown by a matcher that does not like it.
  bool Holds(const fs::path& file, const std::string& text) {
    return ReadFile(file).find(text) != std::string::npos;
  }
  // Paths of regions and how often they were open.
  std::vector<std::pair<std::string, int64_t>> Regions() {
    return RowsOf(directory() / "out/results.sqlite",
                  "SELECT path, instances FROM region ORDER BY source_id, path");
  }
};

TEST_F(NsysRun, CapturesAWholeRun) {
  const ProgramEnd end = Capture(Example(), {"pipeline.nsys.trace='cuda,nvtx'"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("run.nsys-rep: 12 NVTX ranges, 0 kernels"));
  const artifacts::StageRecord stage = Stage();
  EXPECT_EQ(stage.outcome, "Captured");
  EXPECT_THAT(stage.retry_overrides, IsEmpty());
  EXPECT_THAT(stage.notes,
              Contains(StartsWith("NoKernels: no CUDA calls in the capture")));
  EXPECT_THAT(stage.notes, Contains(HasSubstr("instead: it is redacted")));
  EXPECT_THAT(stage.artifacts,
              IsSupersetOf({"nsys/cmd.txt", "nsys/run.nsys-rep", "nsys/run.sqlite",
                            "nsys/summary_nvtx_sum.csv"}));
  // No data, no file.
  EXPECT_FALSE(fs::exists(Out("summary_cuda_gpu_kern_sum.csv")));
  EXPECT_FALSE(Holds(Out("run.sqlite"), "RIDGELINE_TEST_MARK=NsysRun"));
  EXPECT_TRUE(Holds(Out("run.sqlite"), "RIDGELINE_TEST_MARK=REDACTED"));
  EXPECT_THAT(Regions(),
              ElementsAre(Pair("decode", 4), Pair("prefill", 2), Pair("prefill/clip", 2),
                          Pair("prefill/projector", 2), Pair("prefill/sam", 2)));
}

TEST_F(NsysRun, KeepsTheEnvironmentIfAsked) {
  const ProgramEnd end = Capture(Example(), {"pipeline.nsys.redact_env=false"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(Holds(Out("run.sqlite"), "RIDGELINE_TEST_MARK=NsysRun"));
  EXPECT_THAT(Stage().notes, Contains(HasSubstr("redact_env is false")));
}

TEST_F(NsysRun, CapturesOneRange) {
  const ProgramEnd end = Capture(Example(), Gated("decode"));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_THAT(Regions(), ElementsAre(Pair("decode", 1)));
  EXPECT_THAT(ReadFile(Out("workload.log")), HasSubstr("page 2 of 2"));  // It lived on.
}

TEST_F(NsysRun, CollectsAllFilesOfRepeatedRanges) {
  const ProgramEnd end =
      Capture(Example(), Gated("decode", {"pipeline.nsys.capture_range_end=repeat:2"}));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_THAT(Stage().artifacts,
              IsSupersetOf({"nsys/run.1.nsys-rep", "nsys/run.2.nsys-rep",
                            "nsys/run.1.sqlite", "nsys/run.2.sqlite"}));
  EXPECT_THAT(Regions(), ElementsAre(Pair("decode", 1), Pair("decode", 1)));
}

TEST_F(NsysRun, SaysThatThereWereFewerRanges) {
  const ProgramEnd end =
      Capture(Example(), Gated("prefill", {"pipeline.nsys.capture_range_end=repeat:9"}));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "FewerRanges");
  EXPECT_THAT(Stage().notes,
              Contains(HasSubstr("requests 9 ranges, but only 2 were captured")));
}

TEST_F(NsysRun, CapturesEachOfSeveralLabelsInARunOfItsOwn) {
  const ProgramEnd plan = Capture(Example(), Gated("[prefill,decode]", {"--dry-run"}));
  EXPECT_THAT(plan.out, HasSubstr("the workload runs 2 times"));
  const ProgramEnd end = Capture(Example(), Gated("[prefill,decode]"));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(Stage().artifacts,
              IsSupersetOf({"nsys/run.prefill.nsys-rep", "nsys/run.decode.nsys-rep",
                            "nsys/cmd.prefill.txt", "nsys/cmd.decode.txt"}));
  EXPECT_THAT(Regions(),
              ElementsAre(Pair("decode", 1), Pair("prefill", 1), Pair("prefill/clip", 1),
                          Pair("prefill/projector", 1), Pair("prefill/sam", 1)));
}

TEST_F(NsysRun, RefusesALabelThatDoesNotExist) {
  const ProgramEnd end = Capture(Example(), Gated("decod"));
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "NoRangeHit");
  EXPECT_THAT(Stage().retry_overrides, ElementsAre("pipeline.nsys.nvtx_capture=decode"));
  EXPECT_THAT(end.err, HasSubstr("NoRangeHit: no NVTX range 'decod' (ranges: "));
  EXPECT_THAT(end.err, HasSubstr("hint: rerun with: ridgeline run"));
  EXPECT_FALSE(fs::exists(Out("nsys.log")));  // It never started.
}

TEST_F(NsysRun, SeesThatALabelWasNeverOpened) {
  const ProgramEnd end =
      Capture(Example(), Gated("decod", {"pipeline.nsys.nvtx_dry_run=false"}));
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "NoRangeHit");
  EXPECT_THAT(end.err, HasSubstr("NoRangeHit: nsys wrote no report: NVTX range 'decod'"));
}

TEST_F(NsysRun, CapturesALabelThatIsNotRegistered) {
  if (std::string_view(kProbe).empty()) GTEST_SKIP() << "built without NVTX's headers";
  const ProgramEnd end = Capture({kProbe, "nested"}, Gated("outer"));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_THAT(Stage().notes, Contains(StartsWith("LabelUnregistered: ")));
  EXPECT_THAT(Regions(), Contains(Pair("outer", 1)));
}

// The workload's output once decided which files were moved into the run.
TEST_F(NsysRun, TakesNoWordOfTheWorkloadForNsys) {
  const fs::path thesis = directory() / "thesis.tex";
  const fs::path report = directory() / "mine.nsys-rep";
  WriteFile(thesis, "ten years of work");
  WriteFile(report, "a capture of last week");
  MakeScript("liar", "echo 'Generated:'\necho '    " + thesis.string() + "'\necho '    " +
                         report.string() +
                         "'\necho \"Failed to create '/x': File exists\"\n"
                         "echo 'Connection reset by peer'\n"
                         "echo \"unrecognised option '--x'\"\n" +
                         std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1\nexit ${1:-0}\n");
  const ProgramEnd end = Capture({(directory() / "liar").string()});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_EQ(ReadFile(thesis), "ten years of work");
  EXPECT_EQ(ReadFile(report), "a capture of last week");
  EXPECT_THAT(ReadFile(Out("nsys.log")), Not(HasSubstr("thesis.tex")));
  EXPECT_THAT(ReadFile(Out("workload.log")), HasSubstr("thesis.tex"));
  EXPECT_THAT(Regions(), Contains(Pair("decode", 1)));

  fs::remove_all(directory() / "out");
  EXPECT_EQ(Capture({(directory() / "liar").string(), "7"}).exit_code, 1);
  EXPECT_EQ(Stage().outcome, "WorkloadFailed");
}

TEST_F(NsysRun, StartsNsysAgainIfItBreaks) {
  fs::create_directories(directory() / "bin");
  MakeScript("bin/nsys",
             "if [ \"$1\" = profile ] && [ \"$2\" != --help ] && ! [ -e broke2 ]; then\n"
             "  [ -e broke ] && touch broke2\n  touch broke\n"
             "  echo 'Connection reset by peer'\n  exit 1\n"
             "fi\nexec /usr/bin/nsys \"$@\"\n");
  if (!fs::exists("/usr/bin/nsys")) GTEST_SKIP() << "nsys is elsewhere";
  SetPath((directory() / "bin").string() + ":/usr/bin:/bin");
  const ProgramEnd end = Capture(Example());
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_THAT(Stage().notes, Contains(StartsWith("ToolFailed: ")));
  for (const char* const log : {"nsys_attempt1.log", "nsys_attempt2.log"}) {
    EXPECT_THAT(ReadFile(Out(log)), HasSubstr("Connection reset by peer"));
  }
}

// `nsys stats` runs scripts of the directory that it is started in.
TEST_F(NsysRun, RunsNoScriptOfTheUser) {
  WriteFile(directory() / "generate.py", "#!/usr/bin/env python3\nopen('" +
                                             (directory() / "ran").string() +
                                             "', 'w').close()\n");
  ASSERT_EQ(Capture(Example()).exit_code, 0);
  EXPECT_FALSE(fs::exists(directory() / "ran"));
}

TEST_F(NsysRun, LeavesAReportThatWentElsewhere) {
  // nsys without an importer writes run.qdstrm, with one run.nsys-rep.
  MakeScript("squatter",
             "for ending in nsys-rep qdstrm; do\n"
             "  echo old > \"$1/out/tmp/nsys/run.$ending\"\n"
             "done\n" +
                 std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1\n");
  const std::vector<std::string> command = {(directory() / "squatter").string(),
                                            directory().string()};
  const ProgramEnd end = Capture(command, {"pipeline.nsys.force_overwrite=false"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "ReportRedirected");
  EXPECT_THAT(Stage().retry_overrides, ElementsAre("pipeline.nsys.force_overwrite=true"));
  EXPECT_EQ(ReadFile(Out("run.nsys-rep")), "old\n");
}

TEST_F(NsysRun, OverwritesAReportByDefault) {
  MakeScript("squatter", "echo old > \"$1/out/tmp/nsys/run.qdstrm\"\n" +
                             std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1\n");
  const ProgramEnd end =
      Capture({(directory() / "squatter").string(), directory().string()});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(Regions(), Contains(Pair("decode", 1)));
}

TEST_F(NsysRun, LetsTheRangeEndTheProgramIfAsked) {
  const ProgramEnd end = Capture(
      LongExample(), Gated("decode", {"pipeline.nsys.capture_range_end=stop-shutdown",
                                      "pipeline.nsys.nvtx_dry_run=false"}));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "KilledByRangeEnd");
  EXPECT_THAT(Stage().notes, Contains(StartsWith("KilledByRangeEnd: ")));
  EXPECT_THAT(ReadFile(Out("workload.log")), Not(HasSubstr("page 1000 of 1000")));
}

// Omitted, null and empty are the same: nsys decides, and its decision is not a failure.
TEST_F(NsysRun, PassesNoRangeEndThatIsNotGiven) {
  for (const char* end :
       {"pipeline.nsys.capture_range_end=null", "pipeline.nsys.capture_range_end=''",
        "~pipeline.nsys.capture_range_end"}) {
    SCOPED_TRACE(end);
    fs::remove_all(directory() / "out");
    const ProgramEnd ended = Capture(
        LongExample(), Gated("decode", {end, "pipeline.nsys.nvtx_dry_run=false"}));
    ASSERT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_THAT(ReadFile(Out("cmd.txt")), Not(HasSubstr("--capture-range-end")));
    EXPECT_EQ(Stage().state, State::kDone);
    EXPECT_EQ(Stage().outcome, "KilledByRangeEnd");
    EXPECT_THAT(
        Stage().notes,
        Contains(StartsWith("capture_range_end is not set: --capture-range-end")));
  }
}

TEST_F(NsysRun, EndsAProgramThatNsysLeft) {
  const ProgramEnd end =
      Capture({RIDGELINE_NVTX_WORKLOAD, "2", "3", "500"},
              Gated("sam", {"pipeline.nsys.capture_range_end=stop-shutdown",
                            "pipeline.nsys.extra_args=['--kill=none']"}));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "LeftRunning");
  WaitForNoDescendants();
}

TEST_F(NsysRun, EndsWithTheProgramAndNotWithItsBackgroundProcesses) {
  MakeScript("leaves",
             "sleep 300 &\n" + std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1\n");
  const ProgramEnd end =
      Capture({(directory() / "leaves").string()}, {"pipeline.nsys.timeout_s=100"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().outcome, "Captured");
  EXPECT_THAT(Stage().notes, Contains(HasSubstr("terminated leftover processes")));
  WaitForNoDescendants();
}

// A launcher waits for its workers, and nsys for the launcher.
TEST_F(NsysRun, CapturesTheWorkersThatTheProgramWaitsFor) {
  MakeScript("waits", std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1000 &\nwait\n");
  const ProgramEnd end = Capture({(directory() / "waits").string()});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(Regions(), Contains(Pair("decode", 1)));
}

TEST_F(NsysRun, HandsOnThatTheProgramFailed) {
  MakeScript("fails", std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1\nexit 7\n");
  const ProgramEnd end = Capture({(directory() / "fails").string()});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "WorkloadFailed");
  EXPECT_THAT(end.err, HasSubstr("WorkloadFailed: workload under nsys: exit code 7"));
  // What there is up to then is kept.
  EXPECT_THAT(Stage().artifacts,
              AnyOf(Contains("nsys/run.qdstrm"), Contains("nsys/run.nsys-rep")));
}

TEST_F(NsysRun, SaysWhatNsysRefused) {
  const ProgramEnd end =
      Capture(Example(), {"pipeline.nsys.extra_args=['--frobnicate=1']"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(Stage().outcome, "ArgumentRefused");
  EXPECT_THAT(end.err, HasSubstr("unrecognised option '--frobnicate=1'"));
}

// The only place where it could be found is hidden in a world of its own.
TEST_F(NsysRun, SaysThatTheImporterIsMissing) {
  const std::string hide = "mount -t tmpfs none /usr/lib/nsight-systems/host-linux-x64";
  if (!fs::exists("/usr/lib/nsight-systems/host-linux-x64/QdstrmImporter") ||
      fs::exists("/usr/lib/x86_64-linux-gnu/nsight-systems/host-linux-x64") ||
      std::system(("unshare -m sh -c '" + hide + "' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "cannot hide the importer here";
  }
  MakeScript("ridgeline-alone", "exec unshare -m sh -c '" + hide +
                                    " && exec \"$0\" \"$@\"' " +
                                    std::string(RIDGELINE_PROGRAM) + " \"$@\"\n");
  std::string line = (directory() / "ridgeline-alone").string();
  for (const std::string& word : Overrides(Example(), {})) line += " \"" + word + "\"";
  const int status = std::system(
      ("cd " + directory().string() + " && " + line + " 2> err.txt > /dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  if (Stage().outcome == "ToolFailed") GTEST_SKIP() << "nsys broke by itself, twice";
  EXPECT_EQ(Stage().outcome, "ImporterMissing");
  EXPECT_TRUE(fs::exists(Out("run.qdstrm")));  // Nothing is lost.
  EXPECT_THAT(ReadFile(directory() / "err.txt"),
              HasSubstr("ImporterMissing: nsys wrote only the raw stream"));
}

}  // namespace
}  // namespace ridgeline::run
