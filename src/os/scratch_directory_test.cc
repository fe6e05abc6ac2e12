#include "os/scratch_directory.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace ridgeline::os {
namespace {

TEST(ScratchDirectoryTest, IsOurOwnAndGoesAway) {
  std::filesystem::path path;
  {
    Result<ScratchDirectory> made = ScratchDirectory::Make("ridgeline-test");
    ASSERT_TRUE(made.ok()) << made.error().message();
    const ScratchDirectory directory = std::move(made).value();
    path = directory.path();
    EXPECT_TRUE(path.is_absolute());
    EXPECT_TRUE(path.filename().string().starts_with("ridgeline-test-"));
    ASSERT_TRUE(CreateDirectories(path / "a/b").ok());
    ASSERT_TRUE(WriteFileAtomically(path / "a/b/c", "text").ok());
  }
  EXPECT_FALSE(Exists(path));
}

TEST(ScratchDirectoryTest, NeverHasTheNameOfAnother) {
  const Result<ScratchDirectory> one = ScratchDirectory::Make("ridgeline-test");
  const Result<ScratchDirectory> two = ScratchDirectory::Make("ridgeline-test");
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_NE(one.value().path(), two.value().path());
}

}  // namespace
}  // namespace ridgeline::os
