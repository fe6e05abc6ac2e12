#include "os/file_tail.h"

#include <gtest/gtest.h>

#include <fstream>

#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(FileTail, ReadsWhatWasAppended) {
  const ScratchDirectory scratch = ScratchDirectory::Make("ridgeline-tail").value();
  const auto path = scratch.path() / "log";
  FileTail tail(path);
  EXPECT_EQ(tail.ReadNew(), "");  // Not there yet.
  std::ofstream file(path);
  file << "one\ntw" << std::flush;
  EXPECT_EQ(tail.ReadNew(), "one\ntw");
  EXPECT_EQ(tail.ReadNew(), "");
  file << "o\n" << std::flush;
  EXPECT_EQ(tail.ReadNew(), "o\n");
}

TEST(FileTail, ReadsALargeFileInParts) {
  const ScratchDirectory scratch = ScratchDirectory::Make("ridgeline-tail").value();
  const std::string text(size_t{3} << 20, 'x');
  std::ofstream(scratch.path() / "log") << text;
  FileTail tail(scratch.path() / "log");
  std::string all;
  for (std::string part = tail.ReadNew(); !part.empty(); part = tail.ReadNew()) {
    EXPECT_LE(part.size(), size_t{1} << 20);
    all += part;
  }
  EXPECT_EQ(all, text);
}

}  // namespace
}  // namespace ridgeline::os
