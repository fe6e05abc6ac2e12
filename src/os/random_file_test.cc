#include "os/random_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <string_view>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(RandomFileTest, ReadsFromAnywhereAndStopsAtTheEnd) {
  const ScratchDirectory scratch = ScratchDirectory::Make("random-file").value();
  const std::filesystem::path path = scratch.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(path, "0123456789").ok());
  const Result<RandomFile> file = RandomFile::Open(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().size(), 10);
  struct Case {
    int64_t offset;
    std::string_view want;
  };
  for (const Case& c : {Case{0, "0123"}, Case{5, "5678"}, Case{8, "89"}, Case{10, ""}}) {
    std::array<char, 4> into = {};
    const Result<size_t> count = file.value().Read(c.offset, into);
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(std::string_view(into.data(), count.value()), c.want);
  }
}

TEST(RandomFileTest, OpensNothingButRegularFiles) {
  const ScratchDirectory scratch = ScratchDirectory::Make("random-file").value();
  const std::filesystem::path file = scratch.path() / "file";
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  ASSERT_TRUE(MakeLink("file", scratch.path() / "link").ok());
  ASSERT_EQ(::mkfifo((scratch.path() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(RandomFile::Open(scratch.path() / "link").ok());
  EXPECT_FALSE(RandomFile::Open(scratch.path() / "pipe").ok());
  EXPECT_FALSE(RandomFile::Open(scratch.path()).ok());
  EXPECT_EQ(RandomFile::Open(scratch.path() / "none").error().code(),
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ridgeline::os
