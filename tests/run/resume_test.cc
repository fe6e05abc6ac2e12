#include <csignal>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class Resume : public Playground {
 protected:
  // A run whose workload fails until there is a file `go`.
  fs::path FailedRun(const std::vector<std::string>& more = {}) {
    MakeScript("work", "echo $NUMBER; [ -e go ]\n");
    WriteFile(directory() / "page.txt", "first");
    std::vector<std::string> arguments = Direct({"./work", "page.txt"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(Ridgeline(arguments).exit_code, 1);
    return OnlyRun();
  }
  ProgramEnd TryToResume(const fs::path& run) {
    return Ridgeline({"run", "--resume", run.string()});
  }
  void ExpectRefusal(const fs::path& run, const std::string& reason) {
    const std::string before = ReadFile(run / "manifest.json");
    const ProgramEnd end = TryToResume(run);
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_NE(end.err.find("cannot resume "), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(reason), std::string::npos) << end.err;
    EXPECT_EQ(ReadFile(run / "manifest.json"), before);
  }
};

TEST_F(Resume, GoesOnAndKeepsWhatFailedBefore) {
  const fs::path run = FailedRun();
  WriteFile(directory() / "go", "");
  const ProgramEnd end = TryToResume(run);
  EXPECT_EQ(end.exit_code, 0) << end.err;
  const artifacts::Manifest manifest = ManifestOf(run);
  EXPECT_EQ(manifest.state, State::kDone);
  EXPECT_EQ(manifest.attempts, 2);
  EXPECT_EQ(Runs().size(), 1u);
  EXPECT_TRUE(fs::exists(run / "tmp/direct_inference.attempt1/workload.log"));
}

// The first one has the run for itself; the others are refused, also if they come when
// it is finished.
TEST_F(Resume, OfSeveralAtOnceOneGoesOn) {
  const fs::path run = FailedRun();
  MakeScript("work", "echo x >> count; sleep 0.5\n");
  fs::remove(run / "inputs.yaml");  // Nothing to compare the new script with.
  std::vector<pid_t> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(Start({"run", "--resume", run.string()}));
  }
  int refused = 0;
  for (const pid_t program : programs) {
    const ProgramEnd end = Wait(program);
    if (end.exit_code == 0) continue;
    ++refused;
    EXPECT_EQ(end.exit_code, 2) << end.err;
    EXPECT_NE(end.err.find("cannot resume "), std::string::npos) << end.err;
  }
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(ReadFile(directory() / "count"), "x\n");
  EXPECT_EQ(ManifestOf(run).attempts, 2);
}

class ResumeUnderNsys : public Resume {};

TEST_F(ResumeUnderNsys, DoesNotRepeatAStageThatIsDone) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  std::vector<std::string> arguments = Direct({"./work"});
  arguments.insert(arguments.end(),
                   {"pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx"});
  // Fails only when it runs for the second time: under nsys.
  MakeScript("work",
             "echo x >> count\n"
             "if [ $(wc -l < count) = 2 ]; then exit 1; fi\n");
  EXPECT_EQ(Ridgeline(arguments).exit_code, 1);
  const fs::path run = OnlyRun();
  EXPECT_EQ(StateOf(ManifestOf(run), "direct_inference"), State::kDone);
  EXPECT_EQ(StateOf(ManifestOf(run), "nsys"), State::kFailed);
  const std::string metrics = ReadFile(run / "direct_inference/metrics.json");
  EXPECT_EQ(TryToResume(run).exit_code, 0);
  EXPECT_EQ(ReadFile(directory() / "count"), "x\nx\nx\n");
  EXPECT_EQ(ReadFile(run / "direct_inference/metrics.json"), metrics);
}

TEST_F(Resume, WorksFromAnotherDirectoryAndLater) {
  const fs::path run = FailedRun({"+user.stamp=${now:%H%M%S%f}"});
  WriteFile(directory() / "go", "");
  fs::current_path("/");
  EXPECT_EQ(TryToResume(run).exit_code, 0);
}

TEST_F(Resume, RefusesWhatIsFinishedOrNoRun) {
  WriteFile(directory() / "go", "");
  MakeScript("work", "true\n");
  EXPECT_EQ(Ridgeline(Direct({"./work"})).exit_code, 0);
  ExpectRefusal(OnlyRun(), "the run is finished");
  fs::create_directories(directory() / "other");
  const ProgramEnd end = TryToResume(directory() / "other");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("not a run directory"), std::string::npos) << end.err;
}

TEST_F(Resume, RefusesChangedInputs) {
  const fs::path run = FailedRun();
  WriteFile(directory() / "page.txt", "second");
  ExpectRefusal(run,
                "the inputs changed:\n"
                "  " +
                    (directory() / "page.txt").string());
}

TEST_F(Resume, TakesArgumentsThatTheWorkloadWroteForOutputs) {
  MakeScript("work",
             "echo new > new.txt; echo longer > old.txt; rm -f gone.txt; touch written\n"
             "[ -e go ] || [ ! -e wait ] || sleep 1000; [ -e go ]\n");
  for (const bool is_killed : {false, true}) {
    SCOPED_TRACE(is_killed);
    for (const char* const name : {"page.txt", "old.txt", "gone.txt"}) {
      WriteFile(directory() / name, "old");
    }
    for (const char* const name : {"new.txt", "go", "written"}) {
      fs::remove(directory() / name);
    }
    if (is_killed) WriteFile(directory() / "wait", "");
    std::vector<std::string> words = {"./work", "page.txt", "new.txt", "old.txt"};
    if (!is_killed) words.emplace_back("gone.txt");
    std::vector<std::string> arguments = Direct(words);
    const std::string run = is_killed ? "killed" : "failed";
    arguments.push_back("hydra.run.dir=" + run);
    const pid_t program = Start(arguments);
    WaitForFile(directory() / "written");
    if (is_killed) ::kill(program, SIGKILL);
    EXPECT_EQ(Wait(program).exit_code, is_killed ? 128 + SIGKILL : 1);
    WaitForNoDescendants();
    WriteFile(directory() / "go", "");
    WriteFile(directory() / "page.txt", "of the user");
    ExpectRefusal(directory() / run, "the inputs changed:\n  " +
                                         (directory() / "page.txt").string() +
                                         ": changed (3 bytes, now 11)\n");
    WriteFile(directory() / "page.txt", "old");
    const ProgramEnd end = TryToResume(directory() / run);
    EXPECT_EQ(end.exit_code, 0) << end.err;
  }
}

TEST_F(Resume, RefusesAChangedConfiguration) {
  const fs::path run = FailedRun();
  std::string config = ReadFile(run / "config.yaml");
  config.replace(config.find("grace_s: 10"), 11, "grace_s: 11");
  WriteFile(run / "config.yaml", config);
  ExpectRefusal(run,
                "the configuration changed:\n"
                "  run.grace_s: 11, now 10");
}

TEST_F(Resume, RefusesARunThatWasMoved) {
  const fs::path run = FailedRun();
  fs::rename(run, directory() / "moved");
  ExpectRefusal(
      directory() / "moved",
      "the run directory was moved; its configuration refers to " + run.string());
}

TEST_F(Resume, TakesNoOverrides) {
  const fs::path run = FailedRun();
  const ProgramEnd end = Ridgeline({"run", "--resume", run.string(), "device=cpu"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("takes no overrides ('device=cpu')"), std::string::npos)
      << end.err;
}

}  // namespace
}  // namespace ridgeline::run
