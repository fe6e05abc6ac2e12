#include "os/file_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

TEST(FileSourceTest, GivesTheFileInPiecesAndThenNothing) {
  const fs::path path =
      fs::path(testing::TempDir()) / ("file_source_test." + std::to_string(::getpid()));
  std::ofstream(path) << "ridgeline";
  Result<FileSource> source = FileSource::Open(path);
  ASSERT_TRUE(source.ok()) << source.error().message();
  std::string all;
  std::array<char, 4> piece = {};
  while (true) {
    const Result<size_t> count = source.value().Read(piece);
    ASSERT_TRUE(count.ok()) << count.error().message();
    if (count.value() == 0) break;
    all.append(piece.data(), count.value());
  }
  EXPECT_EQ(all, "ridgeline");
  EXPECT_EQ(source.value().Read(piece).value(), 0U);
  fs::remove(path);
}

TEST(FileSourceTest, RefusesWhatIsNoFile) {
  const Result<FileSource> absent = FileSource::Open("no/such/file");
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().code(), ErrorCode::kNotFound);
  const Result<FileSource> directory = FileSource::Open(testing::TempDir());
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error().message(), testing::HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace ridgeline::os
