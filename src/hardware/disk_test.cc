#include <gtest/gtest.h>
#include <unistd.h>

#include "hardware/machine.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;

TEST(DiskTest, LooksAtTheNearestDirectoryThatExistsAndCreatesNothing) {
  const fs::path root = testing::TempDir();
  const fs::path wanted = root / "not" / "yet" / "there";
  const Disk disk = LookAtDisk(wanted);
  EXPECT_EQ(disk.wanted, wanted);
  EXPECT_TRUE(fs::equivalent(disk.existing, root)) << disk.existing;
  EXPECT_TRUE(disk.is_writable);
  EXPECT_GT(disk.free_bytes.value_or(0), 0);
  EXPECT_FALSE(fs::exists(root / "not"));
}

TEST(DiskTest, SeesWhereWeMayNotWrite) {
  EXPECT_FALSE(LookAtDisk("/proc/sys/nowhere").is_writable);
  EXPECT_FALSE(LookAtDisk("/etc/passwd/below").is_writable) << "not a directory";
}

}  // namespace
}  // namespace ridgeline::hardware
