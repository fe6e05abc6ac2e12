#include "model_io/datasets/find_samples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "os/files.h"

namespace ridgeline::datasets {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FindPagesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-pages-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    options_ = {.root = "data",
                .fallback_patterns = {"images/*.png", "images/*.jpg"},
                .working_directory = dir_};
    fs::create_directories(root());
  }
  void TearDown() override { fs::remove_all(dir_); }

  fs::path root() const { return dir_ / "data"; }

  void Write(const fs::path& path, std::string_view bytes = "") {
    fs::create_directories((dir_ / path).parent_path());
    ASSERT_TRUE(os::WriteFileAtomically(dir_ / path, bytes).ok());
  }

  // The pages, relative to the root if they are below it.
  std::vector<std::string> Found() {
    const Result<std::vector<fs::path>> pages = FindPages(options_);
    if (!pages.ok()) return {pages.error().message()};
    std::vector<std::string> names;
    for (const fs::path& page : pages.value()) {
      const std::string relative = page.lexically_relative(root()).string();
      names.push_back(relative.starts_with("..") ? page.string() : relative);
    }
    return names;
  }

  void ExpectError(ErrorCode code, const std::string& want) {
    const Result<std::vector<fs::path>> pages = FindPages(options_);
    ASSERT_FALSE(pages.ok());
    EXPECT_EQ(pages.error().code(), code);
    EXPECT_EQ(pages.error().message(), want);
  }

  fs::path dir_;
  DatasetOptions options_;
};

TEST_F(FindPagesTest, TakesWhatThePatternsFindInOrderOfNameAndOnce) {
  for (const char* name : {"b.png", "a.jpg", "c, d.e.png", "#1.png", "B.png", "x.gif"}) {
    Write(fs::path("data/images") / name);
  }
  Write("data/OmniDocBench.json", "[]");
  EXPECT_THAT(Found(), ElementsAre("images/#1.png", "images/B.png", "images/a.jpg",
                                   "images/b.png", "images/c, d.e.png"));
  options_.fallback_patterns = {"images/*.png", "**/b.*", "images/[ab]*"};
  EXPECT_THAT(Found(), ElementsAre("images/#1.png", "images/B.png", "images/a.jpg",
                                   "images/b.png", "images/c, d.e.png"));
}

TEST_F(FindPagesTest, TakesAnAbsoluteRoot) {
  Write("data/images/a.png");
  options_.root = root();
  options_.working_directory = "/nowhere";
  EXPECT_THAT(Found(), ElementsAre("images/a.png"));
}

TEST_F(FindPagesTest, RootsHaveNoDotsUnlessTheyLeadElsewhere) {
  Write("data/images/a.png");
  Write("other/data/images/a.png");
  fs::create_directories(dir_ / "conf");
  fs::create_directories(dir_ / "other/conf");
  fs::create_directory_symlink(dir_ / "other/conf", dir_ / "linked");
  const struct {
    fs::path root, want;
  } cases[] = {
      {dir_ / "conf/../data", dir_ / "data/images/a.png"},
      {"conf/../data", dir_ / "data/images/a.png"},
      // The kernel follows the link before "..".
      {dir_ / "linked/../data", dir_ / "linked/../data/images/a.png"},
  };
  for (const auto& c : cases) {
    options_.root = c.root;
    const Result<std::vector<fs::path>> pages = FindPages(options_);
    ASSERT_TRUE(pages.ok()) << pages.error().message();
    EXPECT_THAT(pages.value(), ElementsAre(c.want));
  }
}

TEST_F(FindPagesTest, ReadsTheLinesOfAList) {
  for (const char* name : {"a.png", "b c,d.e.png", "#1.png", " space.png"}) {
    Write(fs::path("data/images") / name);
  }
  Write("data/#top.png");
  Write("elsewhere.png");
  const std::string elsewhere = (dir_ / "elsewhere.png").string();
  struct Case {
    const char* what;
    std::string text;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"in its order, not of names",
       "images/b c,d.e.png\nimages/a.png\n",
       {"images/b c,d.e.png", "images/a.png"}},
      {"as often as listed",
       "images/a.png\nimages/a.png\n",
       {"images/a.png", "images/a.png"}},
      {"no newline at the end", "images/a.png", {"images/a.png"}},
      {"of Windows",
       "\xEF\xBB\xBFimages/a.png\r\n\r\nimages/#1.png\r\n",
       {"images/a.png", "images/#1.png"}},
      {"blank lines", "\n  \nimages/a.png\n\t\n\n", {"images/a.png"}},
      {"comments", "# dev set\n  # more\nimages/a.png\n", {"images/a.png"}},
      {"a page whose name begins like a comment", "#top.png\n", {"#top.png"}},
      {"absolute", elsewhere + "\nimages/a.png\n", {elsewhere, "images/a.png"}},
      {"spaces in the name", "images/ space.png\n", {"images/ space.png"}},
  };
  options_.subset_filelist = "list.txt";
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Write("data/list.txt", c.text);
    EXPECT_EQ(Found(), c.want);
  }
}

TEST_F(FindPagesTest, LooksForTheListBelowTheRootAndThenHere) {
  Write("data/a.png");
  Write("data/b.png");
  Write("lists/few.txt", "a.png\n");
  options_.subset_filelist = "lists/few.txt";
  EXPECT_THAT(Found(), ElementsAre("a.png"));
  Write("data/lists/few.txt", "b.png\n");
  EXPECT_THAT(Found(), ElementsAre("b.png"));
  options_.subset_filelist = (dir_ / "lists/few.txt").string();
  EXPECT_THAT(Found(), ElementsAre("a.png"));
}

TEST_F(FindPagesTest, SaysWhereItLookedForTheList) {
  options_.subset_filelist = "few.txt";
  ExpectError(ErrorCode::kNotFound,
              fmt::format("dataset.subset_filelist 'few.txt': neither {} nor {} exists",
                          (root() / "few.txt").string(), (dir_ / "few.txt").string()));
  options_.subset_filelist = "/nowhere/few.txt";
  ExpectError(ErrorCode::kNotFound, "/nowhere/few.txt: No such file or directory");
}

TEST_F(FindPagesTest, SaysThatAListIsEmpty) {
  Write("data/list.txt", "\n \r\n");
  options_.subset_filelist = "list.txt";
  ExpectError(ErrorCode::kConfig, (root() / "list.txt").string() + ": lists no pages");
}

TEST_F(FindPagesTest, NamesEachListedPageThatIsMissing) {
  Write("data/a.png");
  fs::create_directories(root() / "folder");
  Write("data/list.txt", "a.png\nb c.png\nfolder\nd.png \n");
  options_.subset_filelist = "list.txt";
  ExpectError(ErrorCode::kNotFound,
              fmt::format("{}: 3 of 4 pages not found in {}\n"
                          "  'b c.png'\n"
                          "  'folder'\n"
                          "  'd.png '",
                          (root() / "list.txt").string(), root().string()));
}

TEST_F(FindPagesTest, NamesTwentyOfManyMissingPagesAndCountsAll) {
  std::string list;
  for (int i = 0; i < 23; ++i) list += fmt::format("{:02}.png\n", i);
  Write("data/list.txt", list);
  options_.subset_filelist = "list.txt";
  const Result<std::vector<fs::path>> pages = FindPages(options_);
  ASSERT_FALSE(pages.ok());
  const std::string& message = pages.error().message();
  EXPECT_THAT(message, HasSubstr("23 of 23 pages"));
  EXPECT_THAT(message, ::testing::EndsWith("\n  '19.png'\n  and 3 more"));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 21);
}

TEST_F(FindPagesTest, SaysWhatItLookedForAndWhere) {
  ExpectError(
      ErrorCode::kNotFound,
      root().string() + ": no pages found, looked for images/*.png, images/*.jpg");
  options_.fallback_patterns.clear();
  ExpectError(ErrorCode::kConfig, "dataset: set subset_filelist or fallback_patterns");
  options_.root = "absent";
  ExpectError(ErrorCode::kNotFound, (dir_ / "absent").string() +
                                        ": No such file or directory; set dataset.root "
                                        "to the directory with the pages");
  Write("file");
  options_.root = "file";
  ExpectError(ErrorCode::kNotFound,
              (dir_ / "file").string() +
                  ": Not a directory; set dataset.root to the directory with the pages");
}

TEST_F(FindPagesTest, SaysThatThePagesAreStillPacked) {
  Write("data/OmniDocBench.json", "[]");
  Write("data/images.zip");
  const std::string hint =
      "; the pages are still in " + (root() / "images.zip").string() + ": unzip it there";
  ExpectError(
      ErrorCode::kNotFound,
      root().string() + ": no pages found, looked for images/*.png, images/*.jpg" + hint);
  Write("data/list.txt", "images/a.png\n");
  options_.subset_filelist = "list.txt";
  ExpectError(ErrorCode::kNotFound,
              fmt::format("{}: 1 of 1 page not found in {}{}\n"
                          "  'images/a.png'",
                          (root() / "list.txt").string(), root().string(), hint));
}

}  // namespace
}  // namespace ridgeline::datasets
