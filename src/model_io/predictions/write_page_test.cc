#include "model_io/predictions/write_page.h"

#include "base/digest.h"
#include "model_io/images/decode.h"
#include "model_io/predictions/testing/scratch_test.h"

namespace ridgeline::predictions {
namespace {

namespace fs = std::filesystem;

// A page with a title, a flat image box and an image box.
Prediction Grounded() {
  return {
      .text = "# A",
      .grounded = {.groundings = {{.label = "title", .boxes = {{0, 0, 999, 200}}},
                                  {.label = "image", .boxes = {{500, 500, 500, 600}}},
                                  {.label = "image", .boxes = {{100, 300, 600, 900}}}}},
      .markdown = "# A\n![](images/0.jpg)\n"};
}

class WritePageTest : public ScratchTest {
 protected:
  Result<WrittenPage> Write(Prediction prediction) const {
    prediction.image = MakePage("a.png", {250, 240, 230});
    return WritePage(scratch_ / "page", LoadPage(prediction.image).value(), prediction);
  }

  std::vector<std::string> Names(const fs::path& folder) const {
    std::vector<std::string> names;
    const auto entries = os::ListDirectory(folder).value();
    for (const os::DirectoryEntry& entry : entries) {
      names.push_back(entry.name);
    }
    return names;
  }
};

TEST_F(WritePageTest, WritesPictureMarkdownCropsAndInfo) {
  const Result<WrittenPage> written = Write(Grounded());
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(written.value().boxes, 2U);
  EXPECT_EQ(Names(scratch_ / "page"),
            (std::vector<std::string>{"images", "info.json", "result.mmd",
                                      "result_with_boxes.jpg"}));
  // The flat box has a number but no crop.
  EXPECT_EQ(Names(scratch_ / "page/images"), std::vector<std::string>{"1.jpg"});
  EXPECT_EQ(os::ReadFile(scratch_ / "page/result.mmd").value(),
            "# A\n![](images/0.jpg)\n");
  const images::Image crop = images::LoadImage(scratch_ / "page/images/1.jpg").value();
  EXPECT_EQ(crop.width, 100);  // 20 to 120.
  EXPECT_EQ(crop.height, 60);  // 30 to 90.
  // Cut from the page, not from the image with boxes.
  EXPECT_NEAR(crop.rgb[0], 250, 3);
  EXPECT_NEAR(crop.rgb[2], 230, 3);
  const images::Image picture =
      images::LoadImage(scratch_ / "page/result_with_boxes.jpg").value();
  EXPECT_EQ(picture.width, 200);
  EXPECT_EQ(picture.height, 100);
}

TEST_F(WritePageTest, TheSamePageGivesTheSameBytes) {
  ASSERT_TRUE(Write(Grounded()).ok());
  const std::string picture =
      os::ReadFile(scratch_ / "page/result_with_boxes.jpg").value();
  const std::string info = os::ReadFile(scratch_ / "page/info.json").value();
  ASSERT_TRUE(Write(Grounded()).ok());
  EXPECT_EQ(os::ReadFile(scratch_ / "page/result_with_boxes.jpg").value(), picture);
  EXPECT_EQ(os::ReadFile(scratch_ / "page/info.json").value(), info);
}

TEST_F(WritePageTest, NothingOfAnEarlierRunStays) {
  ASSERT_TRUE(Write(Grounded()).ok());
  ASSERT_TRUE(Write({.text = "only text"}).ok());
  EXPECT_EQ(
      Names(scratch_ / "page"),
      (std::vector<std::string>{"info.json", "result.mmd", "result_with_boxes.jpg"}));
  EXPECT_EQ(Names(scratch_), (std::vector<std::string>{"a.png", "page"}));
  EXPECT_EQ(os::ReadFile(scratch_ / "page/result.mmd").value(), "only text");
}

TEST_F(WritePageTest, ADirectoryOfTheUserIsNotReplaced) {
  ASSERT_TRUE(os::CreateDirectories(scratch_ / "page").ok());
  ASSERT_TRUE(os::WriteFileAtomically(scratch_ / "page/notes.txt", "mine").ok());
  const auto written = Write(Grounded());
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message().find("page: not replaced"), std::string::npos);
  EXPECT_EQ(os::ReadFile(scratch_ / "page/notes.txt").value(), "mine");
  EXPECT_EQ(Names(scratch_), (std::vector<std::string>{"a.png", "page"}));
}

TEST_F(WritePageTest, APageThatCannotBeDrawnLeavesNothing) {
  const Result<WrittenPage> written =
      WritePage(scratch_ / "page", {.md5 = "x", .image = images::Filled(40'000, 1, {})},
                {.image = "wide.png"});
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(written.error().message().starts_with("wide.png: drawing on 40000x1"));
  EXPECT_TRUE(Names(scratch_).empty());
}

TEST_F(WritePageTest, APageIsNamedByItsBytes) {
  const fs::path page = MakePage("a.png", {1, 2, 3});
  EXPECT_EQ(LoadPage(page).value().md5, Md5(os::ReadFile(page).value()));
  EXPECT_EQ(LoadPage(MakePage("b.png", {1, 2, 3})).value().md5,
            LoadPage(page).value().md5);
  EXPECT_EQ(LoadPage(scratch_ / "none.png").error().code(), ErrorCode::kNotFound);
  EXPECT_FALSE(LoadPage(scratch_).ok());
}

TEST(PageFolderNames, NeverGiveANameTwice) {
  PageFolderNames names;
  EXPECT_EQ(names.Next("aa"), "aa");
  EXPECT_EQ(names.Next("bb"), "bb");
  EXPECT_EQ(names.Next("aa"), "aa-2");
  EXPECT_EQ(names.Next("aa"), "aa-3");
}

}  // namespace
}  // namespace ridgeline::predictions
