#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "artifacts/provenance.h"
#include "os/testing/fake_process_runner.h"

namespace ridgeline::artifacts {
namespace {

constexpr const char* kCommit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

TEST(GitStateTest, ReadsWhatGitTellsAboutACheckout) {
  struct Case {
    const char* what;
    std::string status;
    std::optional<std::string> commit;
    std::optional<std::string> branch;
    int changed;
    int untracked;
  };
  const std::string head = std::string("# branch.oid ") + kCommit + "\n";
  const Case cases[] = {
      {"clean", head + "# branch.head main\n# branch.ab +0 -0\n", kCommit, "main", 0, 0},
      {"changed, renamed, in conflict, new",
       head + "# branch.head topic/x\n"
              "1 .M N... 100644 100644 100644 aaa bbb src/a.cc\n"
              "2 R. N... 100644 100644 100644 aaa bbb R100 new name.cc\told.cc\n"
              "u UU N... 100644 100644 100644 100644 a b c both.cc\n"
              "? notes.txt\n? out/\n",
       kCommit, "topic/x", 3, 2},
      {"detached", head + "# branch.head (detached)\n", kCommit, std::nullopt, 0, 0},
      {"before the first commit", "# branch.oid (initial)\n# branch.head main\n? a\n",
       std::nullopt, "main", 0, 1},
      {"with a warning between", "warning: no such directory\n" + head, kCommit,
       std::nullopt, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const GitState state = ParseGitStatus(c.status);
    EXPECT_TRUE(state.known()) << state.reason;
    EXPECT_EQ(state.commit, c.commit);
    EXPECT_EQ(state.branch, c.branch);
    EXPECT_EQ(state.changed_files, c.changed);
    EXPECT_EQ(state.untracked_files, c.untracked);
    EXPECT_EQ(state.dirty(), c.changed > 0) << "new files alone do not change what ran";
  }
}

TEST(GitStateTest, SaysWhyNothingIsKnown) {
  os::FakeProcessRunner processes;
  processes.Reply(
      "git", {.exit_code = 128,
              .output = "warning: x\nfatal: not a git repository (or any of the parent "
                        "directories): .git\n"});
  const GitState state = ReadGitState(processes, "/data");
  EXPECT_EQ(state.reason,
            "not a git repository (or any of the parent directories): .git");
  ASSERT_EQ(processes.commands().size(), 1U);
  EXPECT_EQ(processes.commands()[0].ToShellString(),
            "GIT_OPTIONAL_LOCKS=0 LC_ALL=C git -c core.fsmonitor=false -C /data status "
            "--porcelain=v2 --branch");

  os::FakeProcessRunner without_git;
  EXPECT_FALSE(ReadGitState(without_git, "/data").known());
  EXPECT_FALSE(ParseGitStatus("what?\n").known());
}

TEST(GitStateTest, StartsNoProcessOutsideOfARepository) {
  os::FakeProcessRunner processes;
  const GitState state = ReadGitState(processes, "/proc/self");
  EXPECT_EQ(state.reason, "not a git repository (or any of the parent directories)");
  EXPECT_TRUE(processes.commands().empty());
}

TEST(GitStateTest, ReadsARealRepository) {
  os::SystemProcessRunner processes;
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) /
                                     ("git_state_test." + std::to_string(::getpid()));
  std::filesystem::create_directories(root);
  std::ofstream(root / "new.txt") << "x";
  const os::Command init = {
      .argv = {"git", "init", "--quiet", "--initial-branch=topic", root.string()}};
  const Result<os::ProcessResult> made = processes.Run(init, {});
  ASSERT_TRUE(made.ok() && made.value().ok());
  const GitState state = ReadGitState(processes, root);
  std::filesystem::remove_all(root);
  EXPECT_TRUE(state.known()) << state.reason;
  EXPECT_EQ(state.commit, std::nullopt);
  EXPECT_EQ(state.branch, "topic");
  EXPECT_EQ(state.untracked_files, 1);
  EXPECT_FALSE(state.dirty());
}

}  // namespace
}  // namespace ridgeline::artifacts
