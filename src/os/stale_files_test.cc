#include "os/stale_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(StaleFilesTest, RemovesWhatKilledWritersLeftAndNothingElse) {
  const Result<ScratchDirectory> scratch = ScratchDirectory::Make("stale_files");
  ASSERT_TRUE(scratch.ok());
  const std::filesystem::path& directory = scratch.value().path();
  const std::string alive = ".kept.json." + std::to_string(::getppid()) + "-0";
  const std::string gone = "999999999";  // Above the largest PID.
  const std::vector<std::string> kept = {
      "manifest.json",      ".hidden",         ".a.b-c", "a." + gone + "-0",
      ".a." + gone + "-0x", "." + gone + "-0", alive};
  const std::vector<std::string> removed = {
      ".manifest.json." + gone + "-0", ".model.safetensors." + gone + "-part12",
      ".own.json." + std::to_string(::getpid()) + "-7"};
  for (const auto& names : {kept, removed}) {
    for (const std::string& name : names) {
      ASSERT_TRUE(WriteFileAtomically(directory / name, "x").ok()) << name;
    }
  }
  ASSERT_TRUE(RemoveStaleFiles(directory).ok());
  for (const std::string& name : kept) EXPECT_TRUE(Exists(directory / name)) << name;
  for (const std::string& name : removed) EXPECT_FALSE(Exists(directory / name)) << name;
  EXPECT_TRUE(RemoveStaleFiles(directory / "absent").ok());
}

TEST(StaleFilesTest, RecoversDirectoriesOfKilledWriters) {
  const Result<ScratchDirectory> scratch = ScratchDirectory::Make("stale_files");
  ASSERT_TRUE(scratch.ok());
  const std::filesystem::path& directory = scratch.value().path();
  const std::string gone = "999999999";
  const std::string alive = std::to_string(::getppid());
  const std::vector<std::string> kept = {"a", ".b.unfinished-" + alive, ".c.unfinished-",
                                         ".unfinished-" + gone};
  const std::vector<std::string> removed = {
      ".a.unfinished-" + gone, ".a.unfinished-" + gone + "-before",
      ".new.unfinished-" + gone, ".cut-2.unfinished-" + gone + "-before"};
  for (const auto& names : {kept, removed}) {
    for (const std::string& name : names) {
      ASSERT_TRUE(CreateDirectories(directory / name / "x").ok()) << name;
    }
  }
  ASSERT_TRUE(RemoveStaleFiles(directory).ok());
  for (const std::string& name : kept) EXPECT_TRUE(Exists(directory / name)) << name;
  for (const std::string& name : removed) EXPECT_FALSE(Exists(directory / name)) << name;
  EXPECT_TRUE(Exists(directory / "cut-2" / "x"));
  EXPECT_FALSE(Exists(directory / "new"));
}

}  // namespace
}  // namespace ridgeline::os
