#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/testing/scratch_test.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;

class ModelDirectoryTest : public ScratchTest {
 protected:
  void ExpectError(const fs::path& path, ErrorCode code, const std::string& want) {
    const Result<fs::path> found = FindModelDirectory(path);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), code);
    EXPECT_EQ(found.error().message(), want);
  }
};

TEST_F(ModelDirectoryTest, IsThePathItselfUnlessThatIsACache) {
  EXPECT_EQ(FindModelDirectory(dir()).value(), dir());
  Write("config.json", "{}");
  fs::create_directories(dir() / "snapshots" / "a");
  EXPECT_EQ(FindModelDirectory(dir()).value(), dir());
}

TEST_F(ModelDirectoryTest, IsTheSnapshotThatMainNames) {
  fs::create_directories(dir() / "snapshots" / "aaa");
  fs::create_directories(dir() / "snapshots" / "bbb");
  for (const char* text : {"bbb", "bbb\n", " bbb\r\n"}) {
    Write("refs/main", text);
    EXPECT_EQ(FindModelDirectory(dir()).value(), dir() / "snapshots" / "bbb");
  }
}

TEST_F(ModelDirectoryTest, IsTheOnlySnapshotIfNoMainNamesOne) {
  fs::create_directories(dir() / "snapshots" / "aaa");
  Write("snapshots/.DS_Store", "");
  EXPECT_EQ(FindModelDirectory(dir()).value(), dir() / "snapshots" / "aaa");
}

TEST_F(ModelDirectoryTest, SaysWhichSnapshotIsMissing) {
  fs::create_directories(dir() / "snapshots" / "aaa");
  const std::string ref = (dir() / "refs" / "main").string();
  for (const std::string revision : {"bbb", "", "..", "../snapshots/aaa"}) {
    SCOPED_TRACE(revision);
    Write("refs/main", revision);
    ExpectError(
        dir(), ErrorCode::kNotFound,
        ref + ": snapshot '" + revision + "' not found; download the model again");
  }
}

TEST_F(ModelDirectoryTest, SaysThatItCannotChooseASnapshot) {
  const std::string snapshots = (dir() / "snapshots").string();
  fs::create_directories(snapshots);
  ExpectError(dir(), ErrorCode::kNotFound,
              snapshots + ": contains no snapshot; download the model again");
  fs::create_directories(dir() / "snapshots" / "bbb");
  fs::create_directories(dir() / "snapshots" / "aaa");
  ExpectError(dir(), ErrorCode::kConfig,
              snapshots + ": 2 snapshots and no refs/main; set one of aaa, bbb");
}

TEST_F(ModelDirectoryTest, SaysThatThereIsNoDirectory) {
  const fs::path absent = dir() / "absent";
  ExpectError(absent, ErrorCode::kNotFound,
              absent.string() + ": No such file or directory");
  const fs::path file = Write("model.safetensors", "");
  ExpectError(file, ErrorCode::kConfig, file.string() + ": not a model directory");
}

}  // namespace
}  // namespace ridgeline::checkpoints
