// A run composes its configuration once: each of its files is read by one composition.
#include <sys/inotify.h>
#include <unistd.h>

#include <array>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

// Counts how often a file is opened from now on.
class Opens {
 public:
  explicit Opens(const fs::path& file) : queue_(::inotify_init1(IN_NONBLOCK)) {
    // The kernel merges equal events that follow each other; a close separates two opens.
    watch_ = ::inotify_add_watch(queue_, file.c_str(), IN_OPEN | IN_CLOSE_NOWRITE);
  }
  ~Opens() { ::close(queue_); }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;

  bool works() const { return watch_ >= 0; }

  int Count() const {
    int opens = 0;
    alignas(inotify_event) std::array<char, 4096> buffer;
    for (ssize_t size = 0; (size = ::read(queue_, buffer.data(), buffer.size())) > 0;) {
      for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        opens += (event->mask & IN_OPEN) != 0 ? 1 : 0;
        at += static_cast<ssize_t>(sizeof(inotify_event)) + event->len;
      }
    }
    return opens;
  }

 private:
  int queue_;
  int watch_ = -1;
};

class ComposeOnce : public Playground {
 protected:
  ComposeOnce() {
    fs::create_directories(directory() / "conf/preset");
    WriteFile(File(), "# @package _global_\nuser: {note: read}\n");
  }
  fs::path File() const { return directory() / "conf/preset/counted.yaml"; }

  std::vector<std::string> Arguments(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = Direct({"true"});
    arguments.insert(arguments.end(), {"--config-dir", "conf", "+preset=counted"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(ComposeOnce, AlsoWhenTheDirectoryIsTakenAndPerJobOfASweep) {
  struct Case {
    const char* what;
    std::vector<std::string> more;
    int opens;
  };
  const Case cases[] = {
      {"--cfg", {"--cfg", "job"}, 1},
      {"a dry run", {"--dry-run"}, 1},
      {"a run", {"hydra.run.dir=a"}, 1},
      {"a run whose directory is taken", {"hydra.run.dir=a"}, 1},
      // The sweep itself, then each job: once to check it, once in its own process.
      {"a sweep of two jobs",
       {"--multirun", "hydra.sweep.dir=s", "run.repeats=1,2"},
       1 + 2 * 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Opens opens(File());
    if (!opens.works()) GTEST_SKIP() << "no inotify here";
    const ProgramEnd end = Ridgeline(Arguments(c.more));
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(opens.Count(), c.opens);
  }
  EXPECT_TRUE(fs::exists(directory() / "a-2/manifest.json"));
}

TEST_F(ComposeOnce, AResumedRunInADirectoryThatItDidNotAskFor) {
  ASSERT_EQ(Ridgeline(Arguments({"hydra.run.dir=a"})).exit_code, 0);
  MakeScript("work", "test -e good\n");
  const std::string command = "pipeline.workload.command=[./work]";
  ASSERT_EQ(Ridgeline(Arguments({"hydra.run.dir=a", command})).exit_code, 1);
  WriteFile(directory() / "good", "");
  const Opens opens(File());
  if (!opens.works()) GTEST_SKIP() << "no inotify here";
  const ProgramEnd end = Ridgeline({"run", "--resume", "a-2"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(opens.Count(), 1);
  EXPECT_EQ(ManifestOf(directory() / "a-2").state, State::kDone);
}

// What is derived from the directory follows it, as if it had been asked for.
TEST_F(ComposeOnce, AMovedRunIsTheSameAsOneThatAskedForItsDirectory) {
  const std::vector<std::string> more = {"hydra.output_subdir=.hydra",
                                         "+user.out=${hydra:runtime.output_dir}",
                                         "+user.dir=${hydra:run.dir}"};
  const auto run = [&](const std::string& wanted) {
    std::vector<std::string> arguments = Arguments(more);
    arguments.push_back("hydra.run.dir=" + (directory() / wanted).string());
    ASSERT_EQ(Ridgeline(arguments).exit_code, 0);
  };
  run("b");
  run("b");  // Gets b-2.
  const std::string hydra = ReadFile(directory() / "b-2/.hydra/hydra.yaml");
  const std::string moved = (directory() / "b-2").string();
  for (const std::string& line :
       {"    dir: " + moved + "\n", "    output_dir: " + moved + "\n",
        "    - hydra.mode=RUN\n    - hydra.run.dir='" + moved + "'\n"}) {
    EXPECT_NE(hydra.find(line), std::string::npos) << line << hydra;
  }
}

TEST_F(ComposeOnce, AModeInTheConfigurationMakesASweep) {
  WriteFile(File(), "# @package _global_\nhydra: {mode: MULTIRUN, sweep: {dir: s}}\n");
  const ProgramEnd swept = Ridgeline(Arguments({"run.repeats=1,2"}));
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_TRUE(fs::exists(directory() / "s/1/manifest.json")) << swept.out;
  const ProgramEnd one = Ridgeline(Arguments({"--run", "hydra.run.dir=one"}));
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(fs::exists(directory() / "one/manifest.json"));
}

TEST_F(ComposeOnce, SweepValuesWithoutASweepAreRefused) {
  const ProgramEnd end = Ridgeline(Arguments({"run.repeats=1,2"}));
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_NE(end.err.find("Ambiguous value for argument 'run.repeats=1,2'"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(end.err.find("Ambiguous"), end.err.rfind("Ambiguous"));
}

}  // namespace
}  // namespace ridgeline::run
