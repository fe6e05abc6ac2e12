#include "os/env.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace ridgeline::os {
namespace {

class EnvTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("RIDGELINE_TEST_SET", "a=b", 1);
    ::setenv("RIDGELINE_TEST_EMPTY", "", 1);
    ::unsetenv("RIDGELINE_TEST_UNSET");
  }
  void TearDown() override {
    ::unsetenv("RIDGELINE_TEST_SET");
    ::unsetenv("RIDGELINE_TEST_EMPTY");
  }
};

TEST_F(EnvTest, TellsUnsetFromEmpty) {
  EXPECT_EQ(GetEnv("RIDGELINE_TEST_SET"), "a=b");
  EXPECT_EQ(GetEnv("RIDGELINE_TEST_EMPTY"), "");
  EXPECT_EQ(GetEnv("RIDGELINE_TEST_UNSET"), std::nullopt);
}

TEST_F(EnvTest, SnapshotHoldsEveryVariableAndDoesNotChange) {
  const std::map<std::string, std::string> before = Environment();
  ::setenv("RIDGELINE_TEST_SET", "later", 1);
  EXPECT_EQ(before.at("RIDGELINE_TEST_SET"), "a=b");
  EXPECT_EQ(before.at("RIDGELINE_TEST_EMPTY"), "");
  EXPECT_FALSE(before.contains("RIDGELINE_TEST_UNSET"));
}

TEST_F(EnvTest, KnowsWhereItIs) {
  EXPECT_FALSE(HostName().value().empty());
  EXPECT_EQ(CurrentDirectory().value(), std::filesystem::current_path());
  EXPECT_EQ(ExecutablePath().value(), std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace ridgeline::os
