#include "os/standard_streams.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(OutputInFileTest, AppendsBothStreamsUntilItsEnd) {
  const auto scratch = ScratchDirectory::Make("output").value();
  const auto log = scratch.path() / "log";
  ASSERT_TRUE(WriteFile(log, "before\n").ok());
  testing::internal::CaptureStdout();
  {
    const Result<OutputInFile> output = OutputInFile::Begin(log);
    ASSERT_TRUE(output.ok()) << output.error().message();
    std::cerr << "err\n";
    std::cout << "out\n";
  }
  std::cout << "after\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "after\n");
  EXPECT_EQ(ReadFile(log).value(), "before\nerr\nout\n");
  EXPECT_FALSE(OutputInFile::Begin(scratch.path() / "no" / "log").ok());
}

}  // namespace
}  // namespace ridgeline::os
