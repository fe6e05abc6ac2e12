#include "config/compose/config_files.h"

#include <gtest/gtest.h>

#include <utility>

namespace ridgeline::config {
namespace {

TEST(ConfigFilesTest, NormalizesPaths) {
  const std::pair<const char*, const char*> cases[] = {
      {"/a//b/./c/", "/a/b/c"}, {"/a/../../b", "/b"}, {"a/..", ""},
      {"../a", "../a"},         {"/", "/"},
  };
  for (const auto& [path, want] : cases) {
    SCOPED_TRACE(path);
    EXPECT_EQ(NormalizePath(path), want);
  }
}

TEST(ConfigFilesTest, JoinsPathsAndLetsAbsoluteOnesBe) {
  EXPECT_EQ(JoinPath("/a", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/a/", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/a", "/b"), "/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
}

TEST(ConfigFilesTest, DirectoriesOfMemoryFilesAreImplied) {
  MemoryFiles files;
  files.Add("/conf/a/b.yaml", "x: 1");
  files.Add("/conf/a-c.yaml", "");
  EXPECT_TRUE(files.IsDirectory("/"));
  EXPECT_TRUE(files.IsDirectory("/conf/a/"));
  EXPECT_FALSE(files.IsDirectory("/conf/a/b.yaml"));
  EXPECT_TRUE(files.IsFile("/conf/nope/../a/b.yaml"));
  EXPECT_EQ(files.Read("/conf/a/b.yaml").value(), "x: 1");
  EXPECT_EQ(files.Read("/conf/b.yaml").error().kind, ErrorKind::kOs);
  EXPECT_EQ(files.List("/conf"), (std::vector<std::string>{"a", "a-c.yaml"}));
}

TEST(ConfigFilesTest, TheDiskAnswersInTheSameWay) {
  const DiskFiles files;
  EXPECT_TRUE(files.IsDirectory("/"));
  EXPECT_TRUE(files.IsDirectory("/no-such-directory/.."));
  EXPECT_FALSE(files.IsFile("/no-such-file"));
  EXPECT_EQ(files.Read("/no-such-file").error().kind, ErrorKind::kOs);
  EXPECT_TRUE(files.List("/no-such-directory").empty());
}

}  // namespace
}  // namespace ridgeline::config
