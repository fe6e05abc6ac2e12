#include "os/free_port.h"

#include <gtest/gtest.h>

namespace ridgeline::os {
namespace {

TEST(FreePortTest, IsAPortThatTheSystemHandsOut) {
  const Result<int> port = FreePort();
  ASSERT_TRUE(port.ok());
  EXPECT_GT(port.value(), 1023);
  EXPECT_LT(port.value(), 65536);
}

}  // namespace
}  // namespace ridgeline::os
