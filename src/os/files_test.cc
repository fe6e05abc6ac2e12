#include "os/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

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
      std::string(4096, 'x'),     // Exactly the first read.
      std::string(100'001, 'y'),  // Larger than the first read.
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

TEST_F(FilesTest, MovesAFileToWhereThereIsNothing) {
  Write(dir() / "a", "one");
  ASSERT_TRUE(MoveFile(dir() / "a", dir() / "b").ok());
  EXPECT_FALSE(Exists(dir() / "a"));
  EXPECT_EQ(ReadFile(dir() / "b").value(), "one");
  Write(dir() / "c", "two");
  const Status taken = MoveFile(dir() / "c", dir() / "b");
  ASSERT_FALSE(taken.ok());
  EXPECT_NE(taken.error().message().find("exists"), std::string::npos);
  EXPECT_EQ(ReadFile(dir() / "c").value(), "two");
  const Status absent = MoveFile(dir() / "none", dir() / "d");
  ASSERT_FALSE(absent.ok());
  EXPECT_NE(absent.error().message().find("none"), std::string::npos);
}

TEST_F(FilesTest, MovesAFileToAnotherFileSystem) {
  const fs::path elsewhere = "/dev/shm";
  if (!IsDirectory(elsewhere)) GTEST_SKIP() << "no /dev/shm";
  const fs::path to = elsewhere / dir().filename();
  Write(dir() / "a", "one");
  ASSERT_TRUE(MoveFile(dir() / "a", to).ok());
  EXPECT_FALSE(Exists(dir() / "a"));
  EXPECT_EQ(ReadFile(to).value(), "one");
  EXPECT_TRUE(RemoveAll(to).ok());
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

TEST_F(FilesTest, AForgottenTemporaryFileIsNotInTheWay) {
  // Left by a killed process with the same PID; ours are numbered from 0.
  const std::string prefix = ".file." + std::to_string(::getpid()) + "-";
  for (int i = 0; i < 500; ++i) {
    const fs::path left = dir() / (prefix + std::to_string(i));
    ASSERT_EQ(::close(::creat(left.c_str(), 0600)), 0);
  }
  Write(dir() / "file", "x");
  EXPECT_EQ(ReadFile(dir() / "file").value(), "x");
}

TEST_F(FilesTest, HandsOverAFileInPieces) {
  static constexpr size_t kPiece = size_t{1} << 20;
  for (const size_t size : {size_t{0}, size_t{1}, kPiece, kPiece + 1, 3 * kPiece}) {
    SCOPED_TRACE(size);
    const std::string bytes(size, 'x');
    Write(dir() / "file", bytes);
    std::string seen;
    const Status read = ForEachBlock(dir() / "file", [&seen](std::string_view block) {
      EXPECT_FALSE(block.empty());
      EXPECT_LE(block.size(), kPiece);
      seen += block;
    });
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(seen, bytes);
  }
  const auto ignore = [](std::string_view) {};
  EXPECT_EQ(ForEachBlock(dir() / "absent", ignore).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(ForEachBlock(dir(), ignore).error().code(), ErrorCode::kIo);
}

TEST_F(FilesTest, ReplacesWithoutWaitingForTheDisk) {
  for (const char* const text : {"first", "second"}) {
    ASSERT_TRUE(ReplaceFileUnsynced(dir() / "file", text).ok());
    EXPECT_EQ(ReadFile(dir() / "file").value(), text);
  }
  EXPECT_EQ(ListDirectory(dir()).value().size(), 1U) << "no temporary file is left";
}

TEST_F(FilesTest, WritesExclusivelyOnlyWhereThereIsNothing) {
  EXPECT_TRUE(WriteFileExclusively(dir() / "file", "first").value());
  EXPECT_FALSE(WriteFileExclusively(dir() / "file", "second").value());
  EXPECT_EQ(ReadFile(dir() / "file").value(), "first");
  fs::create_symlink("nowhere", dir() / "link");
  EXPECT_FALSE(WriteFileExclusively(dir() / "link", "x").value());
  fs::create_directory(dir() / "sub");
  EXPECT_FALSE(WriteFileExclusively(dir() / "sub", "x").value());
  EXPECT_EQ(ListDirectory(dir()).value().size(), 3U);
}

TEST_F(FilesTest, WritingExclusivelyNamesTheFileThatCannotBe) {
  const fs::path path = dir() / "no" / "file";
  const Result<bool> written = WriteFileExclusively(path, "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(written.error().message(), path.string() + ": No such file or directory");
}

TEST_F(FilesTest, OneOfManyThreadsWritesExclusively) {
  constexpr int kThreads = 8;
  for (int round = 0; round < 50; ++round) {
    const fs::path path = dir() / std::to_string(round);
    std::atomic<int> waiting = kThreads;
    std::atomic<int> winners = 0;
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        if (WriteFileExclusively(path, "whole").value()) ++winners;
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(winners, 1);
    ASSERT_EQ(ReadFile(path).value(), "whole");
  }
  EXPECT_EQ(ListDirectory(dir()).value().size(), 50U);
}

// Makes the kernel reject `system_call` for this process. False: not supported.
bool Refuse(uint32_t system_call, uint32_t error_number) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, system_call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error_number),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = std::size(filter), .filter = filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// The exit code of a child process that runs `body`; 0 means success.
template <typename Body>
int ExitCodeOfChild(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(FilesTest, WritesExclusivelyOnFileSystemsThatOfferLittle) {
  constexpr int kNoSeccomp = 77;
  struct Case {
    const char* what;
    std::vector<std::pair<uint32_t, uint32_t>> refused;
  };
  const Case cases[] = {
      {"no hard links", {{SYS_linkat, EPERM}}},
      {"and a rename that cannot but replace",
       {{SYS_linkat, EOPNOTSUPP}, {SYS_renameat2, EINVAL}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const fs::path path = dir() / c.what;
    const int exit_code = ExitCodeOfChild([&] {
      for (const auto& [call, reason] : c.refused) {
        if (!Refuse(call, reason)) return kNoSeccomp;
      }
      const Result<bool> first = WriteFileExclusively(path, "first");
      const Result<bool> second = WriteFileExclusively(path, "second");
      return first.ok() && first.value() && second.ok() && !second.value() ? 0 : 1;
    });
    if (exit_code == kNoSeccomp) GTEST_SKIP() << "seccomp is not allowed here";
    EXPECT_EQ(exit_code, 0);
    EXPECT_EQ(ReadFile(path).value(), "first");
  }
  EXPECT_EQ(ListDirectory(dir()).value().size(), 2U);
}

TEST_F(FilesTest, RenamesDirectoriesOnFileSystemsThatOfferLittle) {
  constexpr int kNoSeccomp = 77;
  fs::create_directories(dir() / "from");
  fs::create_directories(dir() / "taken");
  const int exit_code = ExitCodeOfChild([&] {
    if (!Refuse(SYS_renameat2, EINVAL)) return kNoSeccomp;
    if (RenameDirectory(dir() / "from", dir() / "taken").ok()) return 1;
    return RenameDirectory(dir() / "from", dir() / "to").ok() ? 0 : 2;
  });
  if (exit_code == kNoSeccomp) GTEST_SKIP() << "seccomp is not allowed here";
  EXPECT_EQ(exit_code, 0);
  EXPECT_TRUE(IsDirectory(dir() / "to"));
}

TEST_F(FilesTest, CreatesTheDirectoriesThatAreMissing) {
  const fs::path cases[] = {
      dir(), dir() / "a", dir() / "a" / "b" / "c", dir() / "slash" / "", "/", ""};
  for (const fs::path& path : cases) {
    SCOPED_TRACE(path);
    const Status created = CreateDirectories(path);
    ASSERT_TRUE(created.ok()) << created.error().message();
    EXPECT_TRUE(path.empty() || IsDirectory(path));
  }
  fs::create_symlink("a", dir() / "link");
  EXPECT_TRUE(CreateDirectories(dir() / "link" / "d").ok());
  EXPECT_TRUE(IsDirectory(dir() / "a" / "d"));
}

TEST_F(FilesTest, CreatingDirectoriesNamesTheOneThatCannotBeMade) {
  Write(dir() / "file", "");
  fs::create_symlink("nowhere", dir() / "broken");
  const std::string long_name(300, 'x');
  struct Case {
    fs::path path;
    std::string want;
  };
  const Case cases[] = {
      {dir() / "file" / "a", (dir() / "file").string() + ": Not a directory"},
      {dir() / "file", (dir() / "file").string() + ": Not a directory"},
      {dir() / "broken" / "a", (dir() / "broken").string() + ": Not a directory"},
      {dir() / "a" / long_name / "b",
       (dir() / "a" / long_name).string() + ": File name too long"},
      {"/proc/none/a", "/proc/none: No such file or directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    const Status created = CreateDirectories(c.path);
    ASSERT_FALSE(created.ok());
    EXPECT_EQ(created.error().message(), c.want);
  }
}

TEST_F(FilesTest, RenamesADirectoryWithWhatIsInIt) {
  fs::create_directories(dir() / "tmp" / "nsys");
  Write(dir() / "tmp" / "nsys" / "report", "x");
  const Status renamed = RenameDirectory(dir() / "tmp" / "nsys", dir() / "nsys");
  ASSERT_TRUE(renamed.ok()) << renamed.error().message();
  EXPECT_EQ(ReadFile(dir() / "nsys" / "report").value(), "x");
  EXPECT_FALSE(Exists(dir() / "tmp" / "nsys"));
}

TEST_F(FilesTest, RenamesADirectoryOnlyToWhereThereIsNothing) {
  fs::create_directories(dir() / "from");
  fs::create_directories(dir() / "empty");
  fs::create_symlink("nowhere", dir() / "broken");
  Write(dir() / "file", "");
  struct Case {
    fs::path from;
    fs::path to;
    std::string want;
  };
  const Case cases[] = {
      {dir() / "from", dir() / "empty", (dir() / "empty").string() + ": File exists"},
      {dir() / "from", dir() / "broken", (dir() / "broken").string() + ": File exists"},
      {dir() / "from", dir() / "file", (dir() / "file").string() + ": File exists"},
      {dir() / "from", dir() / "no" / "to",
       (dir() / "no" / "to").string() + ": No such file or directory"},
      {dir() / "from", dir() / "from" / "to",
       (dir() / "from" / "to").string() + ": Invalid argument"},
      {dir() / "none", dir() / "to",
       (dir() / "none").string() + ": No such file or directory"},
      {dir() / "file", dir() / "to", (dir() / "file").string() + ": Not a directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.to);
    const Status renamed = RenameDirectory(c.from, c.to);
    ASSERT_FALSE(renamed.ok());
    EXPECT_EQ(renamed.error().message(), c.want);
  }
}

TEST_F(FilesTest, RemovesATreeAndNotWhatItsLinksPointTo) {
  Write(dir() / "kept", "");
  fs::create_directories(dir() / "tree" / "a" / "b");
  Write(dir() / "tree" / "a" / "file", "");
  fs::create_symlink(dir() / "kept", dir() / "tree" / "link");
  fs::create_symlink(dir(), dir() / "tree" / "a" / "up");
  for (const char* name : {"tree", "tree", "tree/below", "kept/below"}) {
    SCOPED_TRACE(name);
    const Status removed = RemoveAll(dir() / name);
    EXPECT_TRUE(removed.ok()) << removed.error().message();
  }
  EXPECT_THAT(ListDirectory(dir()).value(),
              ElementsAre(DirectoryEntry{"kept", FileKind::kRegular}));
  fs::create_symlink("kept", dir() / "link");
  EXPECT_TRUE(RemoveAll(dir() / "link").ok());
  EXPECT_TRUE(Exists(dir() / "kept"));
  EXPECT_FALSE(RemoveAll("/proc/self").ok());
}

TEST_F(FilesTest, RemovesADirectoryOnlyIfItIsEmpty) {
  fs::create_directories(dir() / "a" / "b");
  EXPECT_EQ(RemoveEmptyDirectory(dir() / "a").error().message(),
            (dir() / "a").string() + ": Directory not empty");
  EXPECT_TRUE(RemoveEmptyDirectory(dir() / "a" / "b").ok());
  EXPECT_TRUE(RemoveEmptyDirectory(dir() / "a").ok());
  EXPECT_EQ(RemoveEmptyDirectory(dir() / "a").error().code(), ErrorCode::kNotFound);
}

TEST_F(FilesTest, ChangesTheDirectoryOfRelativePaths) {
  const fs::path before = fs::current_path();
  Write(dir() / "file", "here");
  ASSERT_TRUE(ChangeDirectory(dir()).ok());
  const Result<std::string> bytes = ReadFile("file");
  const Status written = WriteFileAtomically("other", "x");
  ASSERT_TRUE(ChangeDirectory(before).ok());
  EXPECT_EQ(bytes.value(), "here");
  EXPECT_TRUE(written.ok());
  EXPECT_EQ(ChangeDirectory(dir() / "absent").error().message(),
            (dir() / "absent").string() + ": No such file or directory");
}

TEST_F(FilesTest, TellsTheSizeOfAFile) {
  Write(dir() / "file", "12345");
  fs::create_symlink("file", dir() / "link");
  EXPECT_EQ(FileSize(dir() / "file").value(), 5);
  EXPECT_EQ(FileSize(dir() / "link").value(), 5);
  EXPECT_EQ(FileSize(dir() / "absent").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(FileSize(dir()).error().message(), dir().string() + ": Is a directory");
}

TEST_F(FilesTest, SeesWhateverIsThere) {
  Write(dir() / "file", "");
  fs::create_symlink("nowhere", dir() / "broken");
  EXPECT_TRUE(Exists(dir()));
  EXPECT_TRUE(Exists(dir() / "file"));
  EXPECT_TRUE(Exists(dir() / "broken"));
  EXPECT_FALSE(Exists(dir() / "absent"));
  EXPECT_FALSE(Exists(dir() / "file" / "below"));
}

}  // namespace
}  // namespace ridgeline::os
