#include "os/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "os/files.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::span<const std::byte> AsBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-atomic-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    path_ = dir_ / "model.safetensors";
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path dir_;
  fs::path path_;
};

TEST_F(AtomicFileTest, AppearsAsAWholeWhenItIsCommitted) {
  for (const int64_t expected_bytes : {int64_t{0}, int64_t{9}, int64_t{1} << 16}) {
    SCOPED_TRACE(expected_bytes);
    fs::remove(path_);
    Result<AtomicFile> file = AtomicFile::Create(path_, expected_bytes);
    ASSERT_TRUE(file.ok()) << file.error().message();
    ASSERT_TRUE(file.value().Write(AsBytes("one ")).ok());
    ASSERT_TRUE(file.value().Write({}).ok());
    AtomicFile moved = std::move(file).value();
    ASSERT_TRUE(moved.Write(AsBytes("two")).ok());
    EXPECT_FALSE(Exists(path_));
    ASSERT_TRUE(moved.Commit().ok());
    EXPECT_EQ(ReadFile(path_).value(), "one two");
    EXPECT_EQ(ListDirectory(dir_).value().size(), 1U);
  }
}

TEST_F(AtomicFileTest, ReplacesWhatWasThereAndLeavesItUntilThen) {
  ASSERT_TRUE(WriteFileAtomically(path_, "old").ok());
  AtomicFile file = AtomicFile::Create(path_, 3).value();
  ASSERT_TRUE(file.Write(AsBytes("new")).ok());
  EXPECT_EQ(ReadFile(path_).value(), "old");
  ASSERT_TRUE(file.Commit().ok());
  EXPECT_EQ(ReadFile(path_).value(), "new");
}

TEST_F(AtomicFileTest, LeavesNothingWhenItIsNotCommitted) {
  {
    AtomicFile file = AtomicFile::Create(path_, 3).value();
    ASSERT_TRUE(file.Write(AsBytes("new")).ok());
  }
  EXPECT_THAT(ListDirectory(dir_).value(), IsEmpty());
}

// Denies this process access to its own /proc entries, without which an unnamed file
// cannot be given a name. False: the kernel does not support that.
bool HideOwnDescriptors() {
#ifdef SYS_access
  constexpr uint32_t kSystemCall = SYS_access;
#else
  constexpr uint32_t kSystemCall = SYS_faccessat;
#endif
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kSystemCall, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = std::size(filter), .filter = filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(AtomicFileTest, WorksWithANameWhereFilesMustHaveOne) {
  constexpr int kNoSeccomp = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit([&] {
      if (!HideOwnDescriptors()) return kNoSeccomp;
      { const Result<AtomicFile> abandoned = AtomicFile::Create(path_, 3); }
      if (!ListDirectory(dir_).value().empty()) return 1;
      AtomicFile file = AtomicFile::Create(path_, 3).value();
      if (!file.Write(AsBytes("new")).ok() || Exists(path_)) return 2;
      if (ListDirectory(dir_).value().size() != 1) return 3;  // The temporary name.
      return file.Commit().ok() ? 0 : 4;
    }());
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoSeccomp) {
    GTEST_SKIP() << "seccomp is not allowed here";
  }
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ReadFile(path_).value(), "new");
  EXPECT_EQ(ListDirectory(dir_).value().size(), 1U);
}

TEST_F(AtomicFileTest, IsReadableByWhomeverTheUmaskAllows) {
  const mode_t before = ::umask(022);
  AtomicFile file = AtomicFile::Create(path_, 0).value();
  ASSERT_TRUE(file.Commit().ok());
  ::umask(before);
  struct stat info = {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644U);
}

TEST_F(AtomicFileTest, SaysThatTheDirectoryIsMissing) {
  const fs::path path = dir_ / "absent" / "file";
  const Result<AtomicFile> file = AtomicFile::Create(path, 0);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(file.error().message(), path.string() + ": No such file or directory");
}

TEST_F(AtomicFileTest, SaysBeforeTheWorkThatTheFileIsTooLarge) {
  const Result<AtomicFile> file =
      AtomicFile::Create(path_, std::numeric_limits<int64_t>::max());
  if (file.ok()) GTEST_SKIP() << "this file system cannot reserve space";
  EXPECT_EQ(file.error().code(), ErrorCode::kIo);
  EXPECT_THAT(file.error().message(), HasSubstr(path_.string() + ": "));
  EXPECT_THAT(ListDirectory(dir_).value(), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::os
