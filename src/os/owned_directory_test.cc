#include "os/owned_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

class OwnedDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    Write(root_ / "stage/a");
    Write(scratch_.path() / "run-of-another/a");
    Write(users_ / "thesis.tex");
  }

  static void Write(const fs::path& path) {
    ASSERT_TRUE(CreateDirectories(path.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(path, "x").ok());
  }

  ScratchDirectory scratch_ = ScratchDirectory::Make("ridgeline-owned").value();
  fs::path root_ = scratch_.path() / "run";
  fs::path users_ = scratch_.path() / "home";
  OwnedDirectory owned_{root_};
};

TEST_F(OwnedDirectoryTest, MovesAndRemovesItsOwnContents) {
  ASSERT_TRUE(owned_.Move(root_ / "stage/a", root_ / "stage/b").ok());
  ASSERT_TRUE(owned_.Move(root_ / "stage", root_ / "done").ok());
  EXPECT_TRUE(Exists(root_ / "done/b"));
  ASSERT_TRUE(owned_.Remove(root_ / "done").ok());
  EXPECT_TRUE(owned_.Remove(root_ / "done").ok());  // A missing file is fine.
  EXPECT_TRUE(IsDirectory(root_));
}

TEST_F(OwnedDirectoryTest, ReplacesAFile) {
  Write(root_ / "b");
  ASSERT_TRUE(owned_.Replace(root_ / "stage/a", root_ / "b").ok());
  EXPECT_FALSE(Exists(root_ / "stage/a"));
  const Status missing = owned_.Replace(root_ / "stage/a", root_ / "b");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(Exists(root_ / "b"));
}

TEST_F(OwnedDirectoryTest, RefusesEveryOtherPath) {
  const fs::path link = root_ / "stage/link";
  fs::create_directory_symlink(users_, link);
  const struct {
    const char* what;
    fs::path path;
  } cases[] = {
      {"elsewhere", users_ / "thesis.tex"},
      {"itself", root_},
      {"itself with a slash", root_ / ""},
      {"above", scratch_.path()},
      {"a name that begins alike", scratch_.path() / "run-of-another/a"},
      {"up and out", root_ / "stage/../../home/thesis.tex"},
      {"through a link", link / "thesis.tex"},
      {"empty", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const Status removed = owned_.Remove(c.path);
    ASSERT_FALSE(removed.ok());
    EXPECT_THAT(removed.error().message(), testing::HasSubstr("not below"));
    EXPECT_FALSE(owned_.Move(c.path, root_ / "taken").ok());
    EXPECT_FALSE(owned_.Replace(c.path, root_ / "taken").ok());
    EXPECT_FALSE(owned_.Replace(root_ / "stage/a", c.path).ok());
    if (c.path != root_ && c.path != root_ / "") {
      EXPECT_FALSE(owned_.Move(root_ / "stage/a", c.path / "new").ok());
    }
  }
  EXPECT_TRUE(Exists(users_ / "thesis.tex"));
  EXPECT_TRUE(Exists(scratch_.path() / "run-of-another/a"));
  EXPECT_FALSE(Exists(root_ / "taken"));
}

TEST_F(OwnedDirectoryTest, RemovesALinkAndNotItsTarget) {
  const fs::path link = root_ / "link";
  fs::create_directory_symlink(users_, link);
  ASSERT_TRUE(owned_.Remove(link).ok());
  EXPECT_FALSE(Exists(link));
  EXPECT_TRUE(Exists(users_ / "thesis.tex"));
}

TEST_F(OwnedDirectoryTest, AnEmptyRootOwnsNothing) {
  EXPECT_FALSE(OwnedDirectory("").Remove(users_ / "thesis.tex").ok());
}

}  // namespace
}  // namespace ridgeline::os
