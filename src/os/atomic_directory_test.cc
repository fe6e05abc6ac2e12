#include "os/atomic_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarkerFile = "info.json";
const DirectoryMarker kMarker = {kMarkerFile, "\"ours\""};

class AtomicDirectoryTest : public testing::Test {
 protected:
  ScratchDirectory scratch_ = ScratchDirectory::Make("ridgeline-atomic").value();
  fs::path final_ = scratch_.path() / "a/out/";

  size_t Entries() const { return ListDirectory(scratch_.path() / "a").value().size(); }

  Status WriteNew() {
    AtomicDirectory directory = AtomicDirectory::Make(final_, kMarker).value();
    EXPECT_TRUE(WriteFileAtomically(directory.path() / "new", "1").ok());
    return directory.Commit();
  }
};

TEST_F(AtomicDirectoryTest, VanishesWithoutACommit) {
  {
    const AtomicDirectory directory = AtomicDirectory::Make(final_, kMarker).value();
    EXPECT_TRUE(IsDirectory(directory.path()));
    EXPECT_FALSE(Exists(final_));
  }
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(AtomicDirectoryTest, ReplacesAnEarlierOneOfItsKind) {
  ASSERT_TRUE(CreateDirectories(final_).ok());
  ASSERT_TRUE(WriteFileAtomically(final_ / kMarkerFile, R"({"ours": 1})").ok());
  const Status committed = WriteNew();
  ASSERT_TRUE(committed.ok()) << committed.error().message();
  EXPECT_TRUE(Exists(final_ / "new"));
  EXPECT_FALSE(Exists(final_ / kMarkerFile));
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(AtomicDirectoryTest, ReplacesAnEmptyOne) {
  ASSERT_TRUE(CreateDirectories(final_).ok());
  ASSERT_TRUE(WriteNew().ok());
  EXPECT_TRUE(Exists(final_ / "new"));
}

TEST_F(AtomicDirectoryTest, LeavesADirectoryOfTheUserAlone) {
  ASSERT_TRUE(CreateDirectories(final_).ok());
  ASSERT_TRUE(WriteFileAtomically(final_ / "thesis.tex", "x").ok());
  const Status committed = WriteNew();
  ASSERT_FALSE(committed.ok());
  EXPECT_THAT(committed.error().message(), testing::HasSubstr("no info.json in it"));
  EXPECT_EQ(ReadFile(final_ / "thesis.tex").value(), "x");
  EXPECT_FALSE(Exists(final_ / "new"));
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(AtomicDirectoryTest, LeavesADirectoryWithAFileOfTheSameNameAlone) {
  ASSERT_TRUE(CreateDirectories(final_).ok());
  ASSERT_TRUE(WriteFileAtomically(final_ / kMarkerFile, "{}").ok());
  const Status committed = WriteNew();
  ASSERT_FALSE(committed.ok());
  EXPECT_THAT(committed.error().message(), testing::HasSubstr("its info.json was not"));
  EXPECT_EQ(ReadFile(final_ / kMarkerFile).value(), "{}");
}

TEST_F(AtomicDirectoryTest, LeavesAFileOfTheUserAlone) {
  ASSERT_TRUE(CreateDirectories(final_.parent_path().parent_path()).ok());
  const fs::path file = final_.parent_path();
  ASSERT_TRUE(WriteFileAtomically(file, "x").ok());
  ASSERT_FALSE(WriteNew().ok());
  EXPECT_EQ(ReadFile(file).value(), "x");
}

}  // namespace
}  // namespace ridgeline::os
