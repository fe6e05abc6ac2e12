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

  // A workload with a child in its group and one in a session of its own.
  std::vector<std::string> Arguments() {
    MakeScript("work",
               "sleep 1000 & inner=$!\n"
               "setsid sh -c 'trap \"\" TERM HUP; sleep 0.6' &\n"
               "echo 1 2 steps > \"$RIDGELINE_PROGRESS_FILE\"\n"
               "sleep 0.25\nkill $inner\necho worked\n");
    return Direct({"./work"});
  }
};

TEST_P(Kill, LeavesNoProcessAndWholeFilesAndCanBeResumed) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  // A run takes about 0.6 s on a quiet machine; a late kill finds it finished, which is
  // a moment too.
  const int after_us = std::uniform_int_distribution<int>(0, 800'000)(random);
  const pid_t program = Start(Arguments());
  ::usleep(static_cast<useconds_t>(after_us));
  ::kill(program, SIGKILL);
  Wait(program);
  WaitForNoDescendants();
  if (Runs().empty()) return;  // It had not begun.

  const fs::path run = OnlyRun();
  if (!fs::exists(run / "manifest.json")) {
    // Killed between making the directory and claiming it: nobody can have it.
    EXPECT_TRUE(fs::is_empty(run) || fs::exists(run / "tmp"));
    return;
  }
  ExpectWholeFiles(run);
  const artifacts::Manifest manifest = ManifestOf(run);
  EXPECT_TRUE(manifest.state == State::kInterrupted || manifest.state == State::kDone)
      << ToText(manifest.state);
  if (manifest.state == State::kDone) return;
  EXPECT_EQ(manifest.why, "ridgeline was killed");

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

INSTANTIATE_TEST_SUITE_P(AtRandomMoments, Kill, testing::Range(0, 30));

class KillUnderNsys : public Kill {};

TEST_P(KillUnderNsys, LeavesNoProcessAndCanBeResumed) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const int after_us = std::uniform_int_distribution<int>(200'000, 4'000'000)(random);
  std::vector<std::string> arguments = Arguments();
  arguments.insert(arguments.end(),
                   {"pipeline.direct_inference.enable=false", "pipeline.nsys.enable=true",
                    "pipeline.nsys.trace=nvtx"});
  const pid_t program = Start(arguments);
  ::usleep(static_cast<useconds_t>(after_us));
  ::kill(program, SIGKILL);
  Wait(program);
  WaitForNoDescendants();
  const fs::path run = OnlyRun();
  ExpectWholeFiles(run);
  if (ManifestOf(run).state == State::kDone) return;
  const ProgramEnd end = Ridgeline({"run", "--resume", run.string()});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(run / "nsys/run.nsys-rep"));
  WaitForNoDescendants();
}

INSTANTIATE_TEST_SUITE_P(AtRandomMoments, KillUnderNsys, testing::Range(0, 4));

}  // namespace
}  // namespace ridgeline::run
