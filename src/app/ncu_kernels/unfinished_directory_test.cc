#include "app/ncu_kernels/unfinished_directory.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

class UnfinishedDirectoryTest : public testing::Test {
 protected:
  os::ScratchDirectory scratch_ =
      os::ScratchDirectory::Make("ridgeline-unfinished").value();
  fs::path final_ = scratch_.path() / "a/out/";

  size_t Entries() const {
    return os::ListDirectory(scratch_.path() / "a").value().size();
  }
};

TEST_F(UnfinishedDirectoryTest, VanishesIfNothingCameOfIt) {
  {
    const UnfinishedDirectory directory = UnfinishedDirectory::Make(final_).value();
    EXPECT_TRUE(os::IsDirectory(directory.path()));
    EXPECT_FALSE(os::Exists(final_));
  }
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(UnfinishedDirectoryTest, ReplacesWhatWasThere) {
  ASSERT_TRUE(os::CreateDirectories(final_ / "old").ok());
  {
    UnfinishedDirectory directory = UnfinishedDirectory::Make(final_).value();
    ASSERT_TRUE(os::WriteFileAtomically(directory.path() / "new", "1").ok());
    EXPECT_TRUE(os::Exists(final_ / "old"));
    const Status committed = directory.Commit();
    ASSERT_TRUE(committed.ok()) << committed.error().message();
  }
  EXPECT_TRUE(os::Exists(final_ / "new"));
  EXPECT_FALSE(os::Exists(final_ / "old"));
  EXPECT_EQ(Entries(), 1u);
}

}  // namespace
}  // namespace ridgeline::app
