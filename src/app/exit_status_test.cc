#include "app/exit_status.h"

#include <gtest/gtest.h>

namespace ridgeline::app {
namespace {

TEST(ExitStatusTest, NumbersStayWhatScriptsKnow) {
  EXPECT_EQ(static_cast<int>(ExitStatus::kDone), 0);
  EXPECT_EQ(static_cast<int>(ExitStatus::kFailed), 1);
  EXPECT_EQ(static_cast<int>(ExitStatus::kUsage), 2);
  EXPECT_EQ(static_cast<int>(ExitStatus::kRefused), 3);
  EXPECT_EQ(static_cast<int>(ExitStatus::kCannotStart), 126);
  EXPECT_EQ(static_cast<int>(ExitStatus::kProgramMissing), 127);
  EXPECT_EQ(ExitCodeOfSignal(2), 130);
}

TEST(ExitStatusTest, WrongInputIsUsageAndARefusingSystemIsFailure) {
  EXPECT_EQ(ExitStatusOf(ErrorCode::kConfig), ExitStatus::kUsage);
  EXPECT_EQ(ExitStatusOf(ErrorCode::kNotFound), ExitStatus::kUsage);
  EXPECT_EQ(ExitStatusOf(ErrorCode::kParse), ExitStatus::kUsage);
  EXPECT_EQ(ExitStatusOf(ErrorCode::kIo), ExitStatus::kFailed);
  EXPECT_EQ(ExitStatusOf(ErrorCode::kTool), ExitStatus::kFailed);
}

}  // namespace
}  // namespace ridgeline::app
