#include "os/last_will.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "os/files.h"
#include "os/testing/eventually.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

class LastWillTest : public testing::Test {
 protected:
  LastWillTest() {
    fs::create_directories(directory_);
    EXPECT_TRUE(WriteFileAtomically(target_, "alive").ok());
    EXPECT_TRUE(WriteFileAtomically(will_, "killed").ok());
  }
  ~LastWillTest() override { fs::remove_all(directory_); }

  const fs::path directory_ =
      fs::path(testing::TempDir()) / ("last_will_" + std::to_string(::getpid()));
  const fs::path will_ = directory_ / "will";
  const fs::path target_ = directory_ / "target";
};

TEST_F(LastWillTest, IsExecutedWhenTheProcessIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<LastWill> will = LastWill::Make(will_, target_);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(Eventually([&] { return ReadFile(target_).value() == "killed"; }));
  EXPECT_FALSE(fs::exists(will_));
}

TEST_F(LastWillTest, IsRevokedWhenDestroyed) {
  { const Result<LastWill> will = LastWill::Make(will_, target_); }
  EXPECT_EQ(ReadFile(target_).value(), "alive");
  EXPECT_TRUE(fs::exists(will_));
}

}  // namespace
}  // namespace ridgeline::os
