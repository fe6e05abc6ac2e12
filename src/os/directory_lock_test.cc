#include "os/directory_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

TEST(DirectoryLockTest, IsForOneAtATimeAndEndsWithItsOwner) {
  const fs::path directory =
      fs::path(testing::TempDir()) / ("directory_lock_" + std::to_string(::getpid()));
  fs::create_directories(directory);
  {
    const auto first = DirectoryLock::Try(directory);
    ASSERT_TRUE(first.ok() && first.value().has_value());
    const auto second = DirectoryLock::Try(directory);
    ASSERT_TRUE(second.ok());
    EXPECT_FALSE(second.value().has_value());
    EXPECT_TRUE(DirectoryLock::IsHeld(directory).value());
  }
  EXPECT_FALSE(DirectoryLock::IsHeld(directory).value());
  const auto again = DirectoryLock::Try(directory);
  EXPECT_TRUE(again.ok() && again.value().has_value());
  fs::remove_all(directory);
}

TEST(DirectoryLockTest, NeedsADirectory) {
  const auto lock = DirectoryLock::Try("/does/not/exist");
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ridgeline::os
