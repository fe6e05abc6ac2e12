// `kill -9` of a run at any moment: nothing that it started lives on, everything that it
// wrote is whole, and it can be resumed to its end.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <random>

#include "config/value/yaml_load.h"
#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class Kill : public Playground, public testing::WithParamInterface<int> {
 protected:
  // Outside tmp/, which is scratch by definition.
  void ExpectWholeFiles(const fs::path& run) {
    for (auto entry = fs::recursive_directory_iterator(run); entry != fs::end(entry);
         ++entry) {
      if (entry->path() == run / "tmp") {
        entry.disable_recursion_pending();
        continue;
      }
      if (!entry->is_regular_file()) continue;
      const std::string text = ReadFile(entry->path());
      const std::string name = entry->path().filename();
      EXPECT_FALSE(text.empty() && name != "workload.log") << entry->path();
      if (name.find(".json") != std::string::npos) {
        EXPECT_TRUE(nlohmann::json::accept(text)) << entry->path() << "\n" << text;
      }
      if (name.find(".yaml") != std::string::npos) {
        EXPECT_TRUE(config::LoadYaml(text, name).ok()) << entry->path() << "\n" << text;
      }
    }
  }

  // A workload with a child in its group and one in a separate session. It ends when
  // there is a file `finish`.
  std::vector<std::string> Arguments() {
    MakeScript("work",
               "sleep 1000 & inner=$!\n"
               "setsid sh -c 'trap \"\" TERM HUP; sleep 0.6' &\n"
               "echo 1 2 steps > \"$RIDGELINE_PROGRESS_FILE\"\n"
               "while ! [ -e finish ]; do sleep 0.05; done\nkill $inner\necho worked\n");
    std::vector<std::string> arguments = Direct({"./work"});
    arguments.emplace_back("hydra.run.dir=tmp/profile-output/out");
    return arguments;
  }
  void LetWorkloadFinish() { WriteFile(directory() / "finish", ""); }

  void KillAfter(pid_t program, int after_us) {
    ::usleep(static_cast<useconds_t>(after_us));
    ::kill(program, SIGKILL);
    Wait(program);
    WaitForNoDescendants();
  }
  int RandomUs(int most_us) {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    return std::uniform_int_distribution<int>(0, most_us)(random);
  }

  // What must hold after any kill of a run that had claimed its directory.
  void ExpectResumable(const fs::path& run) {
    LetWorkloadFinish();
    ExpectWholeFiles(run);
    const artifacts::Manifest manifest = ManifestOf(run);
    ASSERT_EQ(manifest.state, State::kInterrupted) << ToText(manifest.state);
    EXPECT_EQ(manifest.reason, "ridgeline was killed");

    const ProgramEnd end = Ridgeline({"run", "--resume", run.string()});
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(ManifestOf(run).state, State::kDone);
    EXPECT_EQ(StateOf(ManifestOf(run), "direct_inference"), State::kDone);
    EXPECT_EQ(ReadFile(run / "direct_inference/workload.log"), "worked\n");
    for (const char* name : {"config.yaml", "overrides.yaml", "env.json", "inputs.yaml",
                             "assumptions.md", "direct_inference/metrics.json"}) {
      EXPECT_TRUE(fs::exists(run / name)) << name;
    }
    ExpectWholeFiles(run);
    WaitForNoDescendants();
  }
};

// From the first instruction to a little after the last: whatever is there is whole.
TEST_P(Kill, AtAnyMomentLeavesNoProcessAndWholeFiles) {
  LetWorkloadFinish();
  KillAfter(Start(Arguments()), RandomUs(800'000));
  if (Runs().empty()) return;  // Killed before it had a directory.
  const fs::path run = OnlyRun();
  if (!fs::exists(run / "manifest.json")) {
    // Killed between creating the directory and claiming it.
    EXPECT_TRUE(fs::is_empty(run) || fs::exists(run / "tmp"));
    return;
  }
  ExpectWholeFiles(run);
  if (ManifestOf(run).state != State::kDone) ExpectResumable(run);
}

INSTANTIATE_TEST_SUITE_P(AtRandomMoments, Kill, testing::Range(0, 12));

// While the workload runs, which waits: no seed can miss.
class KillWhileRunning : public Kill {};

TEST_P(KillWhileRunning, CanBeResumed) {
  const pid_t program = Start(Arguments());
  const fs::path run = directory() / "tmp/profile-output/out";
  WaitForFile(run / "tmp/workload/direct_inference/progress");
  KillAfter(program, RandomUs(200'000));
  ExpectResumable(run);
}

INSTANTIATE_TEST_SUITE_P(AtRandomMoments, KillWhileRunning, testing::Range(0, 18));

class KillUnderNsys : public Kill {};

TEST_P(KillUnderNsys, LeavesNoProcessAndCanBeResumed) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  std::vector<std::string> arguments = Arguments();
  arguments.insert(arguments.end(),
                   {"pipeline.direct_inference.enable=false", "pipeline.nsys.enable=true",
                    "pipeline.nsys.trace=nvtx"});
  const pid_t program = Start(arguments);
  const fs::path run = directory() / "tmp/profile-output/out";
  WaitForFile(run / "tmp/workload/nsys/progress");
  KillAfter(program, RandomUs(500'000));
  ExpectWholeFiles(run);
  ASSERT_EQ(ManifestOf(run).state, State::kInterrupted);
  LetWorkloadFinish();
  const ProgramEnd end = Ridgeline({"run", "--resume", run.string()});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(run / "nsys/run.nsys-rep"));
  WaitForNoDescendants();
}

INSTANTIATE_TEST_SUITE_P(AtRandomMoments, KillUnderNsys, testing::Range(0, 4));

}  // namespace
}  // namespace ridgeline::run
