#include "artifacts/find_runs.h"

#include <gmock/gmock.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::artifacts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class FindRunsTest : public testing::Test {
 protected:
  void AddRun(const std::string& path) {
    ASSERT_TRUE(os::CreateDirectories(root_ / path).ok());
    ASSERT_TRUE(os::WriteFileAtomically(root_ / path / "manifest.json", "{").ok());
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("find-runs").value();
  fs::path root_ = scratch_.path();
};

TEST_F(FindRunsTest, FindsRunsAndJobsOfSweepsButNothingInRuns) {
  AddRun("b");
  AddRun("a");
  AddRun("a/tmp");
  AddRun("multirun/2026-11-16/12-00-00/0");
  AddRun("multirun/2026-11-16/12-00-00/1");
  AddRun(".hidden/c");
  AddRun("web/node_modules/d");
  ASSERT_TRUE(os::CreateDirectories(root_ / "empty").ok());
  ASSERT_TRUE(os::MakeLink("..", root_ / "empty/loop").ok());
  ASSERT_TRUE(os::MakeLink("a", root_ / "latest").ok());
  const FoundRuns found = FindRuns(root_);
  EXPECT_THAT(found.paths, ElementsAre("a", "b", "multirun/2026-11-16/12-00-00/0",
                                       "multirun/2026-11-16/12-00-00/1"));
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(FindRunsTest, TheRootCanBeARun) {
  AddRun("a");
  EXPECT_THAT(FindRuns(root_ / "a").paths, ElementsAre("."));
}

TEST_F(FindRunsTest, StopsWhereItWasToldAndSaysSo) {
  AddRun("1/2/3/run");
  AddRun("run");
  EXPECT_THAT(FindRuns(root_, {.depth = 3}).paths, ElementsAre("run"));
  EXPECT_THAT(FindRuns(root_, {.depth = 4}).paths, ElementsAre("1/2/3/run", "run"));
  const FoundRuns few = FindRuns(root_, {.directories = 4});
  EXPECT_THAT(few.paths, IsEmpty());
  EXPECT_THAT(few.problems, ElementsAre(HasSubstr("more than 4 directories")));
}

TEST_F(FindRunsTest, ARootThatIsGoneIsAProblem) {
  EXPECT_THAT(FindRuns(root_ / "gone").problems, ElementsAre(HasSubstr("gone")));
}

}  // namespace
}  // namespace ridgeline::artifacts
