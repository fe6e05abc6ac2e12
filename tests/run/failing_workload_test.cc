// Workloads that go wrong in every way we could think of: the manifest and the exit code
// say what happened, and nothing is left behind.
#include <sys/stat.h>

#include <csignal>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

using artifacts::State;

class FailingWorkload : public Playground {
 protected:
  // Runs it and returns what the manifest says of its process.
  artifacts::ProcessRecord Fail(const std::vector<std::string>& arguments,
                                int want_exit_code) {
    const ProgramEnd end = Ridgeline(arguments);
    EXPECT_EQ(end.exit_code, want_exit_code) << end.err;
    const artifacts::Manifest manifest = ManifestOf(OnlyRun());
    EXPECT_EQ(manifest.exit_code, want_exit_code);
    EXPECT_EQ(manifest.state, want_exit_code == 0 ? State::kDone : State::kFailed);
    EXPECT_EQ(StateOf(manifest, "direct_inference"), manifest.state);
    peak_rss_bytes_ = end.peak_rss_bytes;
    why_ = manifest.stages[2].reason;
    notes_ = manifest.stages[2].notes;
    EXPECT_EQ(manifest.stages[2].processes.size(), 1u);
    EXPECT_TRUE(Descendants().empty());
    return manifest.stages[2].processes.at(0);
  }

  int64_t peak_rss_bytes_ = 0;
  std::string why_;
  std::vector<std::string> notes_;
};

TEST_F(FailingWorkload, ExitsWithACode) {
  const auto process = Fail(Direct({"sh", "-c", "echo it broke >&2; exit 7"}), 1);
  EXPECT_EQ(process.exit_code, 7);
  EXPECT_EQ(why_,
            "workload: exit code 7; last line of output: it broke; see "
            "direct_inference/workload.log");
  EXPECT_EQ(ReadFile(OnlyRun() / process.log), "it broke\n");
}

TEST_F(FailingWorkload, AMissingScriptIsReportedOnceBeforeAnythingStarts) {
  const ProgramEnd end = Ridgeline({"run", "--", "python3", "-u", "nope.py"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_EQ(end.err,
            "ridgeline: no such script: " + (directory() / "nope.py").string() + "\n");
  EXPECT_TRUE(Runs().empty());
  const ProgramEnd configured =
      Ridgeline({"run", "pipeline.workload.command=[python3,nope.py]"});
  EXPECT_EQ(configured.err, "ridgeline: pipeline.workload.command: no such script: " +
                                (directory() / "nope.py").string() + "\n");
}

TEST_F(FailingWorkload, AMissingProgramIsReportedAlone) {
  const ProgramEnd end = Ridgeline({"run", "--", "./nosuch.py"});
  EXPECT_EQ(end.exit_code, 127);
  EXPECT_EQ(end.err, "ridgeline: " + (directory() / "nosuch.py").string() +
                         ": No such file or directory\n");
}

TEST_F(FailingWorkload, DiesByASignal) {
  const auto process = Fail(Direct({"sh", "-c", "kill -SEGV $$"}), 1);
  EXPECT_EQ(process.exit_code, 139);
  EXPECT_EQ(process.signal, SIGSEGV);
  EXPECT_EQ(process.ended, "killed by signal 11 (Segmentation fault)");
}

TEST_F(FailingWorkload, Hangs) {
  std::vector<std::string> arguments = Direct({"sh", "-c", "trap '' TERM; sleep 1000"});
  arguments.insert(arguments.end(),
                   {"pipeline.direct_inference.timeout_s=0.3", "run.grace_s=0.3"});
  const auto process = Fail(arguments, 1);
  EXPECT_TRUE(process.timed_out);
  EXPECT_EQ(why_,
            "workload: timeout (pipeline.direct_inference.timeout_s=0.3); see "
            "direct_inference/workload.log");
}

TEST_F(FailingWorkload, ForksAndDetaches) {
  const auto process =
      Fail(Direct({"sh", "-c", "setsid sh -c 'trap \"\" TERM; sleep 1000' & exit 0"}), 0);
  EXPECT_EQ(process.exit_code, 0);
  EXPECT_GE(process.leftover_processes, 1);
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_NE(notes_[0].find("terminated leftover processes: "), std::string::npos);
}

TEST_F(FailingWorkload, WritesAGigabyteToItsOutput) {
  Fail(Direct({"head", "-c", "1", "/dev/zero"}), 0);
  const int64_t usual_peak = peak_rss_bytes_;
  std::filesystem::remove_all(OnlyRun());
  const auto process = Fail(Direct({"head", "-c", "1073741824", "/dev/zero"}), 0);
  EXPECT_EQ(process.output_bytes, 1'073'741'824);
  EXPECT_EQ(std::filesystem::file_size(OnlyRun() / process.log), 1'073'741'824u);
  constexpr int64_t kSome = int64_t{16} << 20;
  EXPECT_LT(peak_rss_bytes_, usual_peak + kSome);
}

TEST_F(FailingWorkload, HasNoInterpreter) {
  WriteFile(directory() / "script", "echo hi\n");
  ::chmod((directory() / "script").c_str(), 0755);
  const auto process = Fail(Direct({"./script"}), 126);
  EXPECT_EQ(process.exit_code, std::nullopt);
  EXPECT_EQ(why_,
            "workload: ./script: Exec format error; a script needs a #! line with its "
            "interpreter");
}

TEST_F(FailingWorkload, IsNotThereOrNotExecutable) {
  WriteFile(directory() / "plain", "#!/bin/sh\n");
  struct Case {
    const char* program;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {"no-such-program", 127,
       "pipeline.workload.command: no program 'no-such-program' found in PATH"},
      {"./absent", 127, "/absent: No such file or directory"},
      {"./plain", 126, "/plain: not executable; run chmod +x"},
      {"/", 126, "pipeline.workload.command: /: not a program"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.program);
    const ProgramEnd end = Ridgeline(Direct({c.program}));
    EXPECT_EQ(end.exit_code, c.exit_code);
    EXPECT_NE(end.err.find(c.message), std::string::npos) << end.err;
    EXPECT_TRUE(Runs().empty());  // Found before anything was written.
  }
}

class FailingWorkloadUnderNsys : public FailingWorkload {};

TEST_F(FailingWorkloadUnderNsys, DoesNotTakeOtherStagesDown) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  std::vector<std::string> arguments = Direct({"sh", "-c", "exit 7"});
  arguments.insert(arguments.end(),
                   {"pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx"});
  const ProgramEnd end = Ridgeline(arguments);
  EXPECT_EQ(end.exit_code, 1);
  const artifacts::Manifest manifest = ManifestOf(OnlyRun());
  EXPECT_EQ(manifest.reason, "2 of 2 stages failed");
  EXPECT_EQ(manifest.stages[3].processes.at(0).exit_code, 7);
}

}  // namespace
}  // namespace ridgeline::run
