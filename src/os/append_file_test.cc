#include "os/append_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "os/files.h"
#include "os/scratch_directory.h"
#include "os/signal_watch.h"

namespace ridgeline::os {
namespace {

class AppendFileTest : public testing::Test {
 protected:
  std::string Contents() const { return ReadFile(path_).value(); }

  const ScratchDirectory scratch_ = ScratchDirectory::Make("append-file").value();
  const std::filesystem::path path_ = scratch_.path() / "file";
};

TEST_F(AppendFileTest, IsThereAfterEveryRecord) {
  Result<AppendFile> file = AppendFile::Open(path_, 0);
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_TRUE(file.value().Append("one\n").ok());
  EXPECT_EQ(Contents(), "one\n");
  ASSERT_TRUE(file.value().Append("two\n").ok());
  EXPECT_EQ(Contents(), "one\ntwo\n");
  EXPECT_EQ(file.value().size(), 8);
  EXPECT_TRUE(file.value().Sync().ok());
}

TEST_F(AppendFileTest, GoesOnAfterTheBytesThatAreKept) {
  ASSERT_TRUE(WriteFileAtomically(path_, "one\ntw").ok());
  Result<AppendFile> file = AppendFile::Open(path_, 4);
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_EQ(file.value().size(), 4);
  ASSERT_TRUE(file.value().Append("two\n").ok());
  EXPECT_EQ(Contents(), "one\ntwo\n");
  EXPECT_EQ(AppendFile::Open(path_, 9).error().message(),
            path_.string() + ": 8 bytes, expected at least 9");
  EXPECT_EQ(Contents(), "one\ntwo\n");
}

TEST_F(AppendFileTest, ARecordThatDoesNotFitIsNotThereInPart) {
  ReportFileSizeLimit();
  Result<AppendFile> file = AppendFile::Open(path_, 0);
  ASSERT_TRUE(file.value().Append("one\n").ok());
  rlimit before = {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {.rlim_cur = 6, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status appended = file.value().Append("two\n");
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(appended.ok());
  EXPECT_EQ(Contents(), "one\n");
  ASSERT_TRUE(file.value().Append("three\n").ok());
  EXPECT_EQ(Contents(), "one\nthree\n");
}

}  // namespace
}  // namespace ridgeline::os
