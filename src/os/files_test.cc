#include "os/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  const fs::path& dir() const { return dir_; }

  void Write(const fs::path& path, std::string_view bytes) {
    const Status written = WriteFileAtomically(path, bytes);
    ASSERT_TRUE(written.ok()) << written.error().message();
  }

 private:
  fs::path dir_;
};

TEST_F(FilesTest, ReadsBackWhatWasWritten) {
  const std::string cases[] = {
      "",
      "one line\n",
      std::string("\0\xff\n", 3),
      std::string(4096, 'x'),     // Exactly the first step.
      std::string(100'001, 'y'),  // Larger than it.
  };
  for (const std::string& bytes : cases) {
    SCOPED_TRACE(bytes.size());
    Write(dir() / "file", bytes);
    EXPECT_EQ(ReadFile(dir() / "file").value(), bytes);
  }
}

TEST_F(FilesTest, ReadsFilesThatDoNotKnowTheirSize) {
  const Result<std::string> bytes = ReadFile("/proc/self/status");
  ASSERT_TRUE(bytes.ok());
  EXPECT_THAT(bytes.value(), HasSubstr("Pid:"));
}

TEST_F(FilesTest, SaysWhichFileIsMissing) {
  const fs::path path = dir() / "absent.yaml";
  const Result<std::string> bytes = ReadFile(path);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(bytes.error().message(), path.string() + ": No such file or directory");
}

TEST_F(FilesTest, SaysThatADirectoryIsNoFile) {
  const Result<std::string> bytes = ReadFile(dir());
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code(), ErrorCode::kIo);
  EXPECT_EQ(bytes.error().message(), dir().string() + ": Is a directory");
}

TEST_F(FilesTest, WritingReplacesTheFileAndLeavesNothingElse) {
  Write(dir() / "file", "old and longer");
  Write(dir() / "file", "new");
  EXPECT_EQ(ReadFile(dir() / "file").value(), "new");
  EXPECT_EQ(ListDirectory(dir()).value().size(), 1U);
}

TEST_F(FilesTest, WritingReplacesALinkAndNotWhatItPointsTo) {
  Write(dir() / "target", "kept");
  fs::create_symlink(dir() / "target", dir() / "link");
  Write(dir() / "link", "new");
  EXPECT_EQ(ReadFile(dir() / "target").value(), "kept");
  EXPECT_EQ(ReadFile(dir() / "link").value(), "new");
}

TEST_F(FilesTest, WritingHonoursTheUmask) {
  const mode_t before = ::umask(027);
  Write(dir() / "file", "x");
  ::umask(before);
  EXPECT_EQ(fs::status(dir() / "file").permissions(), fs::perms(0640));
}

TEST_F(FilesTest, WritingFailsWithoutADirectory) {
  const Status written = WriteFileAtomically(dir() / "no" / "file", "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::kNotFound);
}

TEST_F(FilesTest, AFailedWriteLeavesNoTemporaryFile) {
  fs::create_directory(dir() / "taken");
  fs::create_directory(dir() / "taken" / "full");
  ASSERT_FALSE(WriteFileAtomically(dir() / "taken", "x").ok());
  EXPECT_THAT(ListDirectory(dir()).value(),
              ElementsAre(DirectoryEntry{"taken", FileKind::kDirectory}));
}

TEST_F(FilesTest, ListsByNameAndFollowsLinks) {
  Write(dir() / "b.yaml", "");
  Write(dir() / "A.yaml", "");
  fs::create_directory(dir() / "group");
  fs::create_symlink(dir() / "group", dir() / "link");
  fs::create_symlink(dir() / "nowhere", dir() / "broken");
  EXPECT_THAT(ListDirectory(dir()).value(),
              ElementsAre(DirectoryEntry{"A.yaml", FileKind::kRegular},
                          DirectoryEntry{"b.yaml", FileKind::kRegular},
                          DirectoryEntry{"broken", FileKind::kOther},
                          DirectoryEntry{"group", FileKind::kDirectory},
                          DirectoryEntry{"link", FileKind::kDirectory}));
}

TEST_F(FilesTest, ListingWhatIsNoDirectoryFails) {
  Write(dir() / "file", "");
  EXPECT_FALSE(ListDirectory(dir() / "file").ok());
  EXPECT_FALSE(ListDirectory(dir() / "absent").ok());
}

TEST_F(FilesTest, TellsDirectoriesFromFiles) {
  Write(dir() / "file", "");
  fs::create_symlink(dir() / "file", dir() / "link");
  EXPECT_TRUE(IsDirectory(dir()));
  EXPECT_FALSE(IsRegularFile(dir()));
  EXPECT_TRUE(IsRegularFile(dir() / "link"));
  EXPECT_FALSE(IsDirectory(dir() / "link"));
  EXPECT_FALSE(IsRegularFile(dir() / "absent"));
  EXPECT_FALSE(IsDirectory(dir() / "absent"));
}

TEST_F(FilesTest, RealPathResolvesLinksAndDots) {
  const fs::path real_dir = RealPath(dir()).value();
  Write(dir() / "file", "");
  fs::create_directory(dir() / "sub");
  fs::create_symlink("file", dir() / "link");
  EXPECT_EQ(RealPath(dir() / "sub" / ".." / "link").value(), real_dir / "file");
  EXPECT_EQ(RealPath(dir() / "absent").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ridgeline::os
