#include "artifacts/run_files.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

class RunFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    Write("outside.txt");
    Write("runs/a/manifest.json");
    Write("runs/a/report.html");
    Write("runs/a/nsys/nsys.log");
    Write("runs/a/inner/manifest.json");
    Write("runs/sweep/0/manifest.json");
    Write("runs/ab/manifest.json");
    Write("runs/.trash/run/manifest.json");
    Write("runs/node_modules/run/manifest.json");
    Write("runs/ab/report.html");
    Link("../../outside.txt", "runs/a/out");
    Link("../ab/report.html", "runs/a/neighbour");
    Link("..", "runs/a/up");
    Link("/etc", "runs/a/etc");
    Link("nsys/nsys.log", "runs/a/log");
    Link("nsys", "runs/a/stage");
    Link("loop", "runs/a/loop");
    Link("a", "runs/linked");
  }

  void Write(const std::string& path) {
    const fs::path file = scratch_.path() / path;
    ASSERT_TRUE(os::CreateDirectories(file.parent_path()).ok());
    ASSERT_TRUE(os::WriteFileAtomically(file, "x").ok());
  }
  void Link(const std::string& target, const std::string& path) {
    ASSERT_TRUE(os::MakeLink(target, scratch_.path() / path).ok());
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("run-files").value();
  fs::path root_ = scratch_.path() / "runs";
};

using Parts = std::vector<std::string>;

TEST_F(RunFilesTest, TheFirstDirectoryWithAManifestIsTheRun) {
  struct Case {
    Parts parts;
    std::string run;  // Empty: none.
    size_t rest;
  };
  const Case cases[] = {
      {{"a", "report.html"}, "a", 1},
      {{"a"}, "a", 0},
      {{"a", "inner", "x"}, "a", 2},
      {{"sweep", "0", "x"}, "sweep/0", 1},
      {{"sweep", "1", "x"}, "", 0},
      {{"sweep"}, "", 0},
      {{"linked", "x"}, "", 0},
      {{".trash", "run", "x"}, "", 0},
      {{"node_modules", "run", "x"}, "", 0},
      {{"..", "outside.txt"}, "", 0},
      {{}, "", 0},
      {{"none"}, "", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.parts));
    const auto found = FindRun(root_, c.parts);
    ASSERT_EQ(found.has_value(), !c.run.empty());
    if (!found) continue;
    EXPECT_EQ(found->run, root_ / c.run);
    EXPECT_EQ(found->rest.size(), c.rest);
  }
}

TEST_F(RunFilesTest, TheRootCanBeTheRun) {
  const Parts parts = {"report.html"};
  const auto found = FindRun(root_ / "a", parts);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->run, root_ / "a");
  EXPECT_EQ(found->rest.size(), 1U);
}

TEST_F(RunFilesTest, FilesLieInTheRunAndSoDoesWhatLinksPointTo) {
  struct Case {
    Parts parts;
    std::string want;  // In the run; empty: rejected.
  };
  const Case cases[] = {
      {{"report.html"}, "report.html"},
      {{"nsys", "nsys.log"}, "nsys/nsys.log"},
      {{"log"}, "nsys/nsys.log"},
      {{"stage", "nsys.log"}, "nsys/nsys.log"},
      {{}, ""},
      {{"nsys"}, ""},
      {{"none"}, ""},
      {{"out"}, ""},
      {{"neighbour"}, ""},
      {{"up", "ab", "report.html"}, ""},
      {{"etc", "passwd"}, ""},
      {{"loop"}, ""},
      {{"..", "ab", "report.html"}, ""},
      {{"/etc/passwd"}, ""},
      {{"..", "..", "outside.txt"}, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.parts));
    const auto found = FindFile(root_ / "a", c.parts);
    ASSERT_EQ(found.has_value(), !c.want.empty());
    if (!found) continue;
    EXPECT_EQ(*found, root_ / "a" / c.want);
  }
}

}  // namespace
}  // namespace ridgeline::artifacts
