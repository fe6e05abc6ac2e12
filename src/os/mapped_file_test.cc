#include "os/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "os/files.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class MappedFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-mapped-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path Write(std::string_view bytes) {
    const fs::path path = dir_ / "file";
    EXPECT_TRUE(WriteFileAtomically(path, bytes).ok());
    return path;
  }

  fs::path dir_;
};

TEST_F(MappedFileTest, HoldsTheBytesOfTheFileWhateverIsAdvised) {
  const std::string contents[] = {"", "x", std::string(4096, 'y'),
                                  std::string(100'001, 'z')};
  const MemoryAdvice advices[] = {MemoryAdvice::kNormal, MemoryAdvice::kRandom};
  for (const std::string& content : contents) {
    const fs::path path = Write(content);
    for (const MemoryAdvice advice : advices) {
      SCOPED_TRACE(testing::Message()
                   << content.size() << " bytes, advice " << static_cast<int>(advice));
      const Result<MappedFile> file = MappedFile::Open(path, advice);
      ASSERT_TRUE(file.ok()) << file.error().message();
      EXPECT_EQ(AsText(file.value().bytes()), content);
    }
  }
}

TEST_F(MappedFileTest, KeepsTheBytesInPlaceWhenItIsMoved) {
  MappedFile first = MappedFile::Open(Write("abc")).value();
  const std::byte* const place = first.bytes().data();
  MappedFile second = std::move(first);
  EXPECT_EQ(second.bytes().data(), place);
  MappedFile third = MappedFile::Open(Write("another")).value();
  third = std::move(second);
  EXPECT_EQ(third.bytes().data(), place);
  EXPECT_EQ(AsText(third.bytes()), "abc");
}

TEST_F(MappedFileTest, KeepsTheBytesOfAFileThatIsReplacedOrRemoved) {
  const fs::path path = Write("old");
  const MappedFile file = MappedFile::Open(path).value();
  Write("new");
  EXPECT_EQ(AsText(file.bytes()), "old");
  fs::remove(path);
  EXPECT_EQ(AsText(file.bytes()), "old");
}

TEST_F(MappedFileTest, FollowsSymbolicLinks) {
  const fs::path path = Write("abc");
  fs::create_symlink(path, dir_ / "link");
  EXPECT_EQ(AsText(MappedFile::Open(dir_ / "link").value().bytes()), "abc");
}

TEST_F(MappedFileTest, SaysWhatCannotBeMapped) {
  fs::create_symlink(dir_ / "nowhere", dir_ / "broken");
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  struct Case {
    const char* what;
    fs::path path;
    ErrorCode code;
    const char* want;
  };
  const Case cases[] = {
      {"missing", dir_ / "absent", ErrorCode::kNotFound, "No such file or directory"},
      {"broken link", dir_ / "broken", ErrorCode::kNotFound, "No such file or directory"},
      {"directory", dir_, ErrorCode::kIo, "Is a directory"},
      {"pipe", dir_ / "pipe", ErrorCode::kIo, "not a regular file"},
      {"device", "/dev/null", ErrorCode::kIo, "not a regular file"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<MappedFile> file = MappedFile::Open(c.path);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code(), c.code);
    EXPECT_EQ(file.error().message(), c.path.string() + ": " + c.want);
  }
}

}  // namespace
}  // namespace ridgeline::os
