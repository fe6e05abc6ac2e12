#include <gtest/gtest.h>

#include "os/command.h"
#include "os/env.h"

namespace ridgeline::os {
namespace {

TEST(FindOwnProgramTest, LiesBesideUs) {
  EXPECT_EQ(FindOwnProgram("os_tests"), ExecutablePath().value());
  EXPECT_EQ(FindOwnProgram("no-such-program"), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::os
