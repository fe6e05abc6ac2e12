#include <gtest/gtest.h>

#include "os/command.h"
#include "os/env.h"

namespace ridgeline::os {
namespace {

TEST(FindOwnProgramTest, LiesBesideUs) {
  const std::filesystem::path program = ExecutablePath().value();
  EXPECT_EQ(FindOwnProgram(program.filename().string()), program);
  EXPECT_EQ(FindOwnProgram("no-such-program"), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::os
