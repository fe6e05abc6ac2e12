
#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(StampOf, ChangesWithTheFile) {
  const ScratchDirectory scratch = ScratchDirectory::Make("stamp").value();
  const std::filesystem::path path = scratch.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(path, "one").ok());
  const FileStamp first = StampOf(path).value();
  EXPECT_EQ(first.bytes, 3);
  EXPECT_EQ(StampOf(path).value(), first);
  // The new file replaces the old one, which is deleted only then.
  ASSERT_TRUE(WriteFileAtomically(path, "two").ok());
  EXPECT_NE(StampOf(path).value(), first);
  EXPECT_FALSE(StampOf(scratch.path() / "none").ok());
}

}  // namespace
}  // namespace ridgeline::os
