#include "os/standard_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
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
  for (int i = 0; i < 16; ++i) pipe.Write("line\n");  // Each in a buffer of its own.
  pipe.CloseWriter();
  for (int i = 0; i < 2; ++i) {
    const auto input = PeekInput(0, pipe.reader());
    ASSERT_TRUE(input && input->text);
    EXPECT_TRUE(input->is_waiting);
    EXPECT_EQ(input->text->size(), 80u);
  }
  const auto read = ReadInput(
      100, [] {}, pipe.reader());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().size(), 80u);
  EXPECT_EQ(PeekInput(0, pipe.reader())->text, "");
}

TEST(PeekInput, HasNoTextWhileSomethingMayFollow) {
  Pipe pipe;
  EXPECT_FALSE(PeekInput(0, pipe.reader())->is_waiting);
  pipe.Write("a");
  const auto input = PeekInput(0.02, pipe.reader());
  EXPECT_TRUE(input->is_waiting);
  EXPECT_EQ(input->text, std::nullopt);
}

TEST(PeekInput, IsOfPipesOnly) {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(PeekInput(0, null).has_value());
  ::close(null);
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
