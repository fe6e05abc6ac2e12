#include "model_io/datasets/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "os/files.h"

namespace ridgeline::datasets {
namespace {

namespace fs = std::filesystem;

TEST(MatchesPatternTest, DoesWhatShellsDo) {
  struct Case {
    const char* pattern;
    const char* name;
    bool want;
  };
  const Case cases[] = {
      {"a.png", "a.png", true},
      {"a.png", "a.pngx", false},
      {"a.png", "xa.png", false},
      {"a.png", "A.png", false},
      {"a.png", "a-png", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "a, b.c", true},
      {"*.png", ".png", false},  // Hidden.
      {".*", ".png", true},
      {".p*", ".png", true},
      {"[.]png", ".png", false},
      {"*.png", "a.png", true},
      {"*.png", "a.png.jpg", false},
      {"*.png", "a.png.png", true},
      {"a*b*c", "abc", true},
      {"a*b*c", "axbxbxc", true},
      {"a*b*c", "axbxbx", false},
      {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
      {"**", "a", true},
      {"a**", "ab", true},
      {"?", "a", true},
      {"?", "", false},
      {"?", "ab", false},
      {"?", "\u00fc", true},
      {"??", "\u00fc", false},
      {"?", "\xff", true},
      {"?*", "a", true},
      {"page_?.png", "page_1.png", true},
      {"[a-c]", "b", true},
      {"[a-c]", "d", false},
      {"[a-c]", "-", false},
      {"[c-a]", "b", false},
      {"[abc]x", "bx", true},
      {"[!a-c]", "b", false},
      {"[!a-c]", "d", true},
      {"[!a-c]", "", false},
      {"[a-c0-9]", "5", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[]]", "]", true},
      {"[]a]", "a", true},
      {"[!]]", "]", false},
      {"[!]]", "a", true},
      {"[\u00e0-\u00ff]", "\u00fc", true},
      {"[\u00e0-\u00ff]", "z", false},
      {"[*]", "*", true},
      {"[*]", "a", false},
      {"[?]", "?", true},
      {"[", "[", true},
      {"[a", "[a", true},
      {"[a", "a", false},
      {"a[", "a[", true},
      {"[]", "[]", true},
      {"*[0-9].png", "page 12.png", true},
      {"*[0-9].png", "page 1x.png", false},
      {"\\*", "*", false},
      {"{a,b}", "a", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(MatchesPattern(c.pattern, c.name), c.want)
        << "'" << c.pattern << "' and '" << c.name << "'";
  }
}

class FilesMatchingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-glob-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    for (const char* file :
         {"top.png", "images/a.png", "images/b.PNG", "images/c d,e.f.png",
          "images/.h.png", "images/deep/g.png", "images/deep/deeper/h.png",
          "images/.hidden/i.png", "other/a.png", "other/a.txt"}) {
      fs::create_directories((root_ / file).parent_path());
      ASSERT_TRUE(os::WriteFileAtomically(root_ / file, "").ok());
    }
  }
  void TearDown() override { fs::remove_all(root_); }

  // Sorted and without duplicates.
  std::vector<std::string> Found(std::string_view pattern) {
    Result<std::vector<std::string>> found = FilesMatching(root_, pattern);
    EXPECT_TRUE(found.ok()) << found.error().message();
    std::vector<std::string> files = std::move(found).value();
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
  }

  fs::path root_;
};

TEST_F(FilesMatchingTest, FindsFilesAtTheDepthThatThePatternSays) {
  struct Case {
    const char* pattern;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"*", {"top.png"}},
      {"top.png", {"top.png"}},
      {"absent.png", {}},
      {"absent/*.png", {}},
      {"top.png/*", {}},
      {"images", {}},  // A directory.
      {"images/*.png", {"images/a.png", "images/c d,e.f.png"}},
      {"images//*.png", {"images/a.png", "images/c d,e.f.png"}},
      {"images/.*", {"images/.h.png"}},
      {"images/.hidden/*", {"images/.hidden/i.png"}},
      {"*/a.png", {"images/a.png", "other/a.png"}},
      {"*/*/*.png", {"images/deep/g.png"}},
      {"images/../other/*.txt", {"images/../other/a.txt"}},
      {"**/*.png",
       {"images/a.png", "images/c d,e.f.png", "images/deep/deeper/h.png",
        "images/deep/g.png", "other/a.png", "top.png"}},
      {"images/**/*.png",
       {"images/a.png", "images/c d,e.f.png", "images/deep/deeper/h.png",
        "images/deep/g.png"}},
      {"images/**",
       {"images/a.png", "images/b.PNG", "images/c d,e.f.png", "images/deep/deeper/h.png",
        "images/deep/g.png"}},
      {"**/deep/**/*.png", {"images/deep/deeper/h.png", "images/deep/g.png"}},
      {"./images/./[a]*", {"images/a.png"}},
      {"**/**/h.png", {"images/deep/deeper/h.png"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    EXPECT_EQ(Found(c.pattern), c.want);
  }
}

TEST_F(FilesMatchingTest, FollowsLinksButNotInCircles) {
  fs::create_directory_symlink("..", root_ / "other" / "up");
  fs::create_directory_symlink("../images", root_ / "other" / "linked");
  fs::create_symlink("nowhere", root_ / "other" / "broken.png");
  fs::create_symlink("a.png", root_ / "other" / "b.png");
  EXPECT_EQ(Found("other/**/[ab].png"),
            (std::vector<std::string>{"other/a.png", "other/b.png", "other/linked/a.png",
                                      "other/up/images/a.png"}));
  EXPECT_EQ(Found("other/b*.png"),
            (std::vector<std::string>{"other/b.png", "other/broken.png"}))
      << "a broken link is a page that cannot be read";
}

TEST_F(FilesMatchingTest, RefusesPatternsThatAreNotBelowTheRoot) {
  for (const std::string pattern : {"", ".", "/", "/etc/*"}) {
    const Result<std::vector<std::string>> found = FilesMatching(root_, pattern);
    ASSERT_FALSE(found.ok()) << pattern;
    EXPECT_EQ(found.error().code(), ErrorCode::kConfig);
    EXPECT_EQ(found.error().message(),
              "dataset.fallback_patterns: '" + pattern +
                  "' is not a relative pattern below dataset.root");
  }
}

}  // namespace
}  // namespace ridgeline::datasets
