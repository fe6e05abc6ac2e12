#include "model_io/predictions/write_outputs.h"

#include <gmock/gmock.h>

#include "base/digest.h"
#include "model_io/images/decode.h"
#include "model_io/predictions/testing/scratch_test.h"

namespace ridgeline::predictions {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WriteOutputsTest : public ScratchTest {
 protected:
  OutputOptions Options() const {
    return {.prediction_enable = true,
            .prediction_dir = scratch_ / "out/pred",
            .visualization_enable = true,
            .visualization_dir = scratch_ / "out/viz",
            .thumbnail_width = 50};
  }

  Prediction Page(const std::string& name, images::Colour colour) const {
    return {.image = MakePage(name, colour),
            .text = "<|det|>[[0,0,999,500]]<|/det|>said",
            .text_clean = "clean",
            .ids = {5, 1}};
  }

  std::string Read(const std::string& path) const {
    return os::ReadFile(scratch_ / "out" / path).value();
  }
};

TEST_F(WriteOutputsTest, WritesPredictionsFoldersAndGallery) {
  const std::vector<Prediction> pages = {Page("a.png", {250, 0, 0}),
                                         Page("b.png", {0, 250, 0})};
  const Result<WrittenOutputs> written = WriteOutputs(Options(), pages);
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(written.value().pages_with_folder, 2U);
  EXPECT_EQ(written.value().pages_in_gallery, 2U);
  EXPECT_TRUE(written.value().problems.empty());
  EXPECT_EQ(ReadPredictions(scratch_ / "out/pred/predictions.jsonl").value(), pages);
  const std::string md5 = Md5(os::ReadFile(pages[0].image).value());
  EXPECT_EQ(Read("viz/" + md5 + "/result.mmd"), pages[0].text);
  const images::Image thumbnail =
      images::LoadImage(scratch_ / "out/viz" / md5 / "thumbnail.jpg").value();
  EXPECT_EQ(thumbnail.width, 50);
  EXPECT_EQ(thumbnail.height, 25);
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("(" + md5 + "/thumbnail.jpg)"));
  EXPECT_THAT(Read("viz/predictions.md"),
              HasSubstr("<|det|>[[0,0,999,500]]<|/det|>said"));
}

TEST_F(WriteOutputsTest, DoesOnlyWhatIsEnabled) {
  const std::vector<Prediction> pages = {Page("a.png", {})};
  OutputOptions options = Options();
  options.prediction_enable = false;
  ASSERT_TRUE(WriteOutputs(options, pages).ok());
  EXPECT_FALSE(os::Exists(options.prediction_dir));
  EXPECT_TRUE(os::Exists(options.visualization_dir / "predictions.md"));

  options = Options();
  options.visualization_dir = scratch_ / "none";
  options.visualization_enable = false;
  options.thumbnail_width = 0;
  ASSERT_TRUE(WriteOutputs(options, pages).ok());
  EXPECT_TRUE(os::Exists(options.prediction_dir / "predictions.jsonl"));
  EXPECT_FALSE(os::Exists(options.visualization_dir));
}

TEST_F(WriteOutputsTest, StripsSpecialTokensFromTextsAndStillFindsBoxes) {
  OutputOptions options = Options();
  options.strip_special_tokens = true;
  std::vector<Prediction> pages = {Page("a.png", {})};
  pages[0].grounded.groundings = {{.label = "text", .boxes = {{0, 0, 999, 500}}}};
  ASSERT_TRUE(WriteOutputs(options, pages).ok());
  EXPECT_EQ(ReadPredictions(options.prediction_dir / "predictions.jsonl").value()[0].text,
            "clean");
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("- Boxes: 1\n"));
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("```text\nclean\n```\n"));
}

TEST_F(WriteOutputsTest, TheGalleryHasNoMorePagesThanWanted) {
  struct Case {
    std::optional<int64_t> max_images;
    size_t want;
  };
  const std::vector<Prediction> pages = {
      Page("a.png", {1, 0, 0}), Page("b.png", {2, 0, 0}), Page("c.png", {3, 0, 0})};
  for (const Case& c : {Case{std::nullopt, 3}, Case{0, 0}, Case{2, 2}, Case{99, 3}}) {
    OutputOptions options = Options();
    options.max_images = c.max_images;
    const Result<WrittenOutputs> written = WriteOutputs(options, pages);
    ASSERT_TRUE(written.ok());
    EXPECT_EQ(written.value().pages_in_gallery, c.want);
    EXPECT_EQ(written.value().pages_with_folder, 3U);
  }
}

TEST_F(WriteOutputsTest, APageReadTwiceHasTwoFolders) {
  std::vector<Prediction> pages = {Page("a.png", {}), Page("a.png", {}),
                                   Page("copy.png", {})};
  pages[1].epoch = 1;
  pages[1].text = "second";
  ASSERT_TRUE(WriteOutputs(Options(), pages).ok());
  const std::string md5 = Md5(os::ReadFile(pages[0].image).value());
  EXPECT_EQ(Read("viz/" + md5 + "/result.mmd"), pages[0].text);
  EXPECT_EQ(Read("viz/" + md5 + "-2/result.mmd"), "second");
  EXPECT_THAT(Read("viz/" + md5 + "-3/info.json"), HasSubstr("copy.png"));
}

TEST_F(WriteOutputsTest, GoesOnAfterAPictureThatIsGoneAndSaysSo) {
  std::vector<Prediction> pages = {Page("a.png", {}), Page("b.png", {9, 9, 9})};
  ASSERT_TRUE(os::RemoveAll(pages[0].image).ok());
  const Result<WrittenOutputs> written = WriteOutputs(Options(), pages);
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(written.value().pages_with_folder, 1U);
  ASSERT_EQ(written.value().problems.size(), 1U);
  EXPECT_THAT(written.value().problems[0], HasSubstr("a.png: No such file or directory"));
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("## 1. a.png\n\nNo image: "));
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("## 2. b.png\n\n[!["));
  EXPECT_EQ(ReadPredictions(scratch_ / "out/pred/predictions.jsonl").value().size(), 2U);
}

TEST_F(WriteOutputsTest, RefusesWhatCannotBe) {
  OutputOptions options = Options();
  options.thumbnail_width = 0;
  EXPECT_EQ(WriteOutputs(options, {}).error().message(),
            "thumbnail_width: 0 is less than 1 pixel");
  options = Options();
  options.max_images = -1;
  EXPECT_EQ(WriteOutputs(options, {}).error().message(), "max_images: -1 is less than 0");
  options = Options();
  const fs::path page = MakePage("a.png", {});
  options.visualization_dir = page / "viz";
  EXPECT_FALSE(WriteOutputs(options, {}).ok());
}

}  // namespace
}  // namespace ridgeline::predictions
