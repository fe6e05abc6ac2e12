#include "artifacts/run_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <set>
#include <vector>

#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string NameOf(const RunDir& run_dir) { return run_dir.id(); }

class ClaimRunDirTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-run-dir-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = os::RealPath(name).value();
  }
  void TearDown() override { fs::remove_all(dir_); }

  const fs::path& dir() const { return dir_; }

  // Everything below dir(), sorted.
  std::vector<std::string> Tree() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(dir_)) {
      names.insert(entry.path().lexically_relative(dir_).string());
    }
    return {names.begin(), names.end()};
  }

 private:
  fs::path dir_;
};

TEST_F(ClaimRunDirTest, MakesTheDirectoriesAndTheManifest) {
  const Result<RunDir> claimed = ClaimRunDir(dir() / "runs" / "a", {}, NameOf);
  ASSERT_TRUE(claimed.ok()) << claimed.error().message();
  EXPECT_EQ(claimed.value().root(), dir() / "runs" / "a");
  EXPECT_EQ(claimed.value().id(), "a");
  EXPECT_THAT(Tree(),
              ElementsAre("runs", "runs/a", "runs/a/manifest.json", "runs/a/tmp"));
  EXPECT_EQ(os::ReadFile(claimed.value().manifest()).value(), "a");
}

TEST_F(ClaimRunDirTest, NumbersTheDirectoriesOfFurtherRuns) {
  for (const char* want : {"a", "a-2", "a-3"}) {
    SCOPED_TRACE(want);
    const Result<RunDir> claimed = ClaimRunDir(dir() / "a", {}, NameOf);
    ASSERT_TRUE(claimed.ok()) << claimed.error().message();
    EXPECT_EQ(claimed.value().root(), dir() / want);
    EXPECT_EQ(os::ReadFile(dir() / want / "manifest.json").value(), want);
  }
}

TEST_F(ClaimRunDirTest, UsesADirectoryWithoutAManifestAsItIs) {
  fs::create_directories(dir() / "a" / ".hydra");
  ASSERT_TRUE(os::WriteFileAtomically(dir() / "a" / "notes.txt", "mine").ok());
  const Result<RunDir> claimed = ClaimRunDir(dir() / "a", {}, NameOf);
  ASSERT_TRUE(claimed.ok()) << claimed.error().message();
  EXPECT_THAT(Tree(),
              ElementsAre("a", "a/.hydra", "a/manifest.json", "a/notes.txt", "a/tmp"));
}

TEST_F(ClaimRunDirTest, RefusesADirectoryWithFilesThatARunWouldOverwrite) {
  for (const char* const name :
       {"report.md", "report.html", "metrics.json", "results.sqlite", "config.yaml",
        "env.json", "tmp/x", "direct_inference/x", ".hydra/config.yaml"}) {
    SCOPED_TRACE(name);
    const fs::path users = dir() / "a" / name;
    ASSERT_TRUE(os::CreateDirectories(users.parent_path()).ok());
    ASSERT_TRUE(os::WriteFileAtomically(users, "of the user").ok());
    const Result<RunDir> claimed =
        ClaimRunDir(dir() / "a", {"direct_inference", ".hydra/config.yaml"}, NameOf);
    ASSERT_FALSE(claimed.ok());
    EXPECT_EQ(claimed.error().code(), ErrorCode::kConfig);
    EXPECT_THAT(claimed.error().message(),
                ::testing::HasSubstr("files that a run would overwrite"));
    EXPECT_EQ(os::ReadFile(users).value(), "of the user");
    EXPECT_FALSE(os::Exists(dir() / "a/manifest.json"));
    fs::remove_all(dir() / "a");
  }
}

TEST_F(ClaimRunDirTest, UsesADirectoryThatAKilledClaimLeft) {
  ASSERT_TRUE(os::CreateDirectories(dir() / "a/tmp").ok());
  EXPECT_EQ(ClaimRunDir(dir() / "a", {}, NameOf).value().id(), "a");
}

TEST_F(ClaimRunDirTest, IsTheDirectoryThatALinkLeadsTo) {
  fs::create_directories(dir() / "true place");
  fs::create_directory_symlink(dir() / "true place", dir() / "link");
  const Result<RunDir> claimed = ClaimRunDir(dir() / "link", {}, NameOf);
  ASSERT_TRUE(claimed.ok()) << claimed.error().message();
  EXPECT_EQ(claimed.value().root(), fs::canonical(dir() / "true place"));
  EXPECT_EQ(os::ReadFile(dir() / "true place/manifest.json").value(), "true place");
  // The next one is next to the link, where the user wanted it.
  EXPECT_EQ(ClaimRunDir(dir() / "link", {}, NameOf).value().root(), dir() / "link-2");

  fs::create_symlink("nowhere", dir() / "broken");
  const Result<RunDir> broken = ClaimRunDir(dir() / "broken", {}, NameOf);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code(), ErrorCode::kConfig);
  EXPECT_THAT(broken.error().message(),
              ::testing::HasSubstr("link to a missing directory"));
}

TEST_F(ClaimRunDirTest, TakesABrokenLinkForAnotherRunsManifest) {
  fs::create_directories(dir() / "a");
  fs::create_symlink("nowhere", dir() / "a" / "manifest.json");
  EXPECT_EQ(ClaimRunDir(dir() / "a", {}, NameOf).value().id(), "a-2");
}

TEST_F(ClaimRunDirTest, NumbersTheNameHoweverThePathIsWritten) {
  struct Case {
    fs::path wanted;
    fs::path first;
    fs::path second;
  };
  const Case cases[] = {
      {dir() / "slash/", dir() / "slash", dir() / "slash-2"},
      {dir() / "dot/.", dir() / "dot", dir() / "dot-2"},
      {dir() / "x/../up", dir() / "up", dir() / "up-2"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.wanted);
    EXPECT_EQ(ClaimRunDir(c.wanted, {}, NameOf).value().root(), c.first);
    EXPECT_EQ(ClaimRunDir(c.wanted, {}, NameOf).value().root(), c.second);
  }
}

TEST_F(ClaimRunDirTest, FindsTheNameOfTheCurrentDirectory) {
  const fs::path before = fs::current_path();
  fs::create_directories(dir() / "here" / "sub");
  ASSERT_TRUE(os::ChangeDirectory(dir() / "here").ok());
  const fs::path first = ClaimRunDir(".", {}, NameOf).value().root();
  const fs::path second = ClaimRunDir("", {}, NameOf).value().root();
  ASSERT_TRUE(os::ChangeDirectory("sub").ok());
  const fs::path third = ClaimRunDir("..", {}, NameOf).value().root();
  ASSERT_TRUE(os::ChangeDirectory(before).ok());
  EXPECT_EQ(first, dir() / "here");
  EXPECT_EQ(second, dir() / "here-2");
  EXPECT_EQ(third, dir() / "here-3");
}

// ---- Concurrent claims

// Claims `wanted` in a separate process once `gate` is closed, and writes the name of the
// directory to `out`.
pid_t ClaimInAnotherProcess(const fs::path& wanted, std::array<int, 2> gate, int out) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::close(gate[1]);
  char byte = 0;
  while (::read(gate[0], &byte, 1) > 0) {
  }
  const Result<RunDir> claimed = ClaimRunDir(wanted, {}, NameOf);
  const std::string line = claimed.ok() ? claimed.value().root().string() + "\n" : "?\n";
  const bool whole = ::write(out, line.data(), line.size()) > 0;
  ::_exit(claimed.ok() && whole ? 0 : 1);
}

// The names that `count` concurrently released processes get.
std::multiset<std::string> ClaimAtOnce(const fs::path& wanted, int count) {
  std::array<int, 2> gate = {};
  std::array<int, 2> out = {};
  EXPECT_EQ(::pipe(gate.data()), 0);
  EXPECT_EQ(::pipe(out.data()), 0);
  std::vector<pid_t> children;
  children.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    children.push_back(ClaimInAnotherProcess(wanted, gate, out[1]));
  }
  for (const int fd : {gate[0], gate[1], out[1]}) ::close(fd);
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  std::string text(1 << 16, '\0');
  const ssize_t length = ::read(out[0], text.data(), text.size());
  ::close(out[0]);
  std::multiset<std::string> roots;
  size_t start = 0;
  for (size_t end = 0; end < static_cast<size_t>(length); ++end) {
    if (text[end] != '\n') continue;
    roots.insert(text.substr(start, end - start));
    start = end + 1;
  }
  return roots;
}

TEST_F(ClaimRunDirTest, GivesProcessesThatRaceDirectoriesOfTheirOwn) {
  constexpr int kProcesses = 8;
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    const fs::path wanted = dir() / std::to_string(round) / "a";
    std::multiset<std::string> want = {wanted.string()};
    for (int i = 2; i <= kProcesses; ++i) {
      want.insert(wanted.string() + "-" + std::to_string(i));
    }
    ASSERT_EQ(ClaimAtOnce(wanted, kProcesses), want);
    for (const std::string& root : want) {
      const RunDir run_dir{fs::path(root)};
      EXPECT_EQ(os::ReadFile(run_dir.manifest()).value(), run_dir.id());
      EXPECT_THAT(os::ListDirectory(root).value(),
                  ElementsAre(os::DirectoryEntry{"manifest.json", os::FileKind::kRegular},
                              os::DirectoryEntry{"tmp", os::FileKind::kDirectory}));
    }
  }
}

// ---- Failures

TEST_F(ClaimRunDirTest, SaysWhichDirectoryCannotBeMadeAndHowToChooseAnother) {
  ASSERT_TRUE(os::WriteFileAtomically(dir() / "file", "").ok());
  struct Case {
    const char* what;
    fs::path wanted;
    std::string reason;
  };
  const Case cases[] = {
      {"no directories can be made there", "/proc/runs/a",
       "/proc/runs: No such file or directory"},
      {"a file is in the way", dir() / "file" / "a",
       (dir() / "file").string() + ": Not a directory"},
      {"a file has its name", dir() / "file",
       (dir() / "file").string() + ": Not a directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<RunDir> claimed = ClaimRunDir(c.wanted, {}, NameOf);
    ASSERT_FALSE(claimed.ok());
    EXPECT_EQ(claimed.error().code(), ErrorCode::kIo);
    EXPECT_EQ(claimed.error().message(),
              "cannot use " + c.wanted.string() + " as a run directory: " + c.reason +
                  "; choose a new or empty directory with hydra.run.dir=DIR");
  }
  EXPECT_THAT(Tree(), ElementsAre("file"));
}

TEST_F(ClaimRunDirTest, SaysThatADirectoryCannotBeWritten) {
  // Not even root may create files there.
  const Result<RunDir> claimed = ClaimRunDir("/proc/sys", {}, NameOf);
  ASSERT_FALSE(claimed.ok());
  EXPECT_THAT(claimed.error().message(),
              StartsWith("cannot use /proc/sys as a run directory: /proc/sys/tmp: "));
  EXPECT_THAT(claimed.error().message(), EndsWith("hydra.run.dir=DIR"));
}

TEST_F(ClaimRunDirTest, LeavesNoEmptyDirectoriesAfterAFailure) {
  // The last component is too long; its parents can be created.
  const fs::path wanted = dir() / "runs" / "today" / std::string(300, 'x');
  ASSERT_FALSE(ClaimRunDir(wanted, {}, NameOf).ok());
  EXPECT_THAT(Tree(), IsEmpty());
}

TEST_F(ClaimRunDirTest, LeavesDirectoriesThatWereThereAfterAFailure) {
  fs::create_directories(dir() / "runs");
  ASSERT_FALSE(
      ClaimRunDir(dir() / "runs" / "new" / std::string(300, 'x'), {}, NameOf).ok());
  EXPECT_THAT(Tree(), ElementsAre("runs"));
}

TEST_F(ClaimRunDirTest, LeavesNothingWhenOnlyTheManifestCannotBeWritten) {
  // As on a full disk: directories fit, files do not.
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_FSIZE, &none);
    const Result<RunDir> claimed = ClaimRunDir(dir() / "runs" / "a", {}, NameOf);
    const bool told = !claimed.ok() &&
                      claimed.error().message().find("manifest.json: File too large") !=
                          std::string::npos;
    ::_exit(told ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Tree(), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::artifacts
