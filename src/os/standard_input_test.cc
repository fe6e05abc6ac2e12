#include "os/standard_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace ridgeline::os {
namespace {

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    CloseWriter();
  }
  int reader() const { return ends_[0]; }
  void Write(std::string_view text) const {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  void CloseWriter() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_ = {};
};

TEST(PeekInput, LeavesThePipeAsItIs) {
  Pipe pipe;
  for (int i = 0; i < 16; ++i) pipe.Write("line\n");  // Each in a separate buffer.
  pipe.CloseWriter();
  for (int i = 0; i < 2; ++i) {
    const auto input = PeekInput({}, pipe.reader());
    ASSERT_TRUE(input && input->text);
    EXPECT_TRUE(input->is_waiting);
    EXPECT_EQ(input->text->size(), 80u);
  }
  const auto read = ReadInput(
      100, [] {}, pipe.reader());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().size(), 80u);
  EXPECT_EQ(PeekInput({}, pipe.reader())->text, "");
}

TEST(PeekInput, HasNoTextWhileSomethingMayFollow) {
  Pipe pipe;
  EXPECT_FALSE(PeekInput({}, pipe.reader())->is_waiting);
  pipe.Write("a");
  const auto input = PeekInput({.wait_s = 0.02}, pipe.reader());
  EXPECT_TRUE(input->is_waiting);
  EXPECT_EQ(input->text, std::nullopt);
}

TEST(PeekInput, KnowsDevicesThatHaveData) {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int zero = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(PeekInput({}, null).has_value());
  EXPECT_EQ(PeekInput({}, zero)->kind, InputKind::kDevice);
  EXPECT_FALSE(PeekInput({}, zero)->text);
  ::close(null);
  ::close(zero);
}

TEST(PeekInput, HasTheRestOfAFileAndLeavesItThere) {
  const int file = ::memfd_create("in", MFD_CLOEXEC);  // No path, as if deleted.
  ASSERT_EQ(::write(file, "abcd", 4), 4);
  const struct {
    off_t at;
    size_t limit;
    std::optional<std::string> want;
    bool is_waiting;
  } cases[] = {{0, 4, "abcd", true},
               {1, 3, "bcd", true},
               {1, 2, std::nullopt, true},
               {4, 0, "", false},
               {9, 0, "", false}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.at);
    ASSERT_EQ(::lseek(file, c.at, SEEK_SET), c.at);
    const auto input = PeekInput({.bytes = c.limit}, file);
    EXPECT_EQ(input->kind, InputKind::kFile);
    EXPECT_EQ(input->text, c.want);
    EXPECT_EQ(input->is_waiting, c.is_waiting);
    EXPECT_EQ(::lseek(file, 0, SEEK_CUR), c.at);
    EXPECT_FALSE(InputFile(file));
  }
  ::close(file);
}

TEST(PeekInput, SeesWhetherASocketHasData) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  EXPECT_FALSE(PeekInput({}, ends[0])->is_waiting);
  ASSERT_EQ(::write(ends[1], "a", 1), 1);
  EXPECT_TRUE(PeekInput({}, ends[0])->is_waiting);
  EXPECT_EQ(PeekInput({}, ends[0])->kind, InputKind::kSocket);
  char read = 0;
  EXPECT_EQ(::read(ends[0], &read, 1), 1);
  ::close(ends[1]);
  EXPECT_FALSE(PeekInput({.wait_s = 0.1}, ends[0])->is_waiting);  // EOF.
  ::close(ends[0]);
}

TEST(ReadInput, RefusesMoreThanTheLimit) {
  Pipe pipe;
  pipe.Write("abc");
  pipe.CloseWriter();
  const auto read = ReadInput(
      2, [] {}, pipe.reader());
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message().find("<FILE"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::os
