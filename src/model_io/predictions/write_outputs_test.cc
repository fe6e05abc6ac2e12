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

  static Result<profiles::OutputMarks> WriteOutputs(
      const OutputOptions& options, const std::vector<Prediction>& pages) {
    RIDGELINE_TRY(OutputWriter writer, OutputWriter::Open(options, pages.size()));
    for (const Prediction& page : pages) RIDGELINE_RETURN_IF_ERROR(writer.Add(page));
    RIDGELINE_RETURN_IF_ERROR(writer.Finish({}));
    return writer.marks();
  }

  size_t Folders() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(scratch_ / "out/viz")) {
      count += entry.is_directory() ? 1 : 0;
    }
    return count;
  }

  std::string Read(const std::string& path) const {
    return os::ReadFile(scratch_ / "out" / path).value();
  }
};

TEST_F(WriteOutputsTest, WritesPredictionsFoldersAndGallery) {
  const std::vector<Prediction> pages = {Page("a.png", {250, 0, 0}),
                                         Page("b.png", {0, 250, 0})};
  const Result<profiles::OutputMarks> written = WriteOutputs(Options(), pages);
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(Folders(), 2U);
  EXPECT_EQ(written.value().gallery_pages, 2);
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
    int64_t want;
  };
  const std::vector<Prediction> pages = {
      Page("a.png", {1, 0, 0}), Page("b.png", {2, 0, 0}), Page("c.png", {3, 0, 0})};
  for (const Case& c : {Case{std::nullopt, 3}, Case{0, 0}, Case{2, 2}, Case{99, 3}}) {
    OutputOptions options = Options();
    options.max_images = c.max_images;
    const Result<profiles::OutputMarks> written = WriteOutputs(options, pages);
    ASSERT_TRUE(written.ok());
    EXPECT_EQ(written.value().gallery_pages, c.want);
    EXPECT_EQ(Folders(), 3U);
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
  Result<OutputWriter> writer = OutputWriter::Open(Options(), pages.size());
  ASSERT_TRUE(writer.ok()) << writer.error().message();
  ASSERT_TRUE(writer.value().Add(pages[0]).ok());
  EXPECT_THAT(writer.value().problem(), HasSubstr("a.png: No such file or directory"));
  ASSERT_TRUE(writer.value().Add(pages[1]).ok());
  EXPECT_EQ(writer.value().problem(), "");
  EXPECT_EQ(Folders(), 1U);
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("## 1. a.png\n\nNo image: "));
  EXPECT_THAT(Read("viz/predictions.md"), HasSubstr("## 2. b.png\n\n[!["));
  EXPECT_EQ(ReadPredictions(scratch_ / "out/pred/predictions.jsonl").value().size(), 2U);
}

// Wherever a writer was killed, its successor produces the same output as a single one.
TEST_F(WriteOutputsTest, GoesOnAfterTheLastCompletePage) {
  const std::vector<Prediction> pages = {
      Page("a.png", {1, 0, 0}), Page("b.png", {2, 0, 0}), Page("copy.png", {1, 0, 0})};
  OutputOptions options = Options();
  options.max_images = 2;
  const std::vector<std::string> failures = {"d.png: broken"};
  const auto all = [&] {
    return Read("pred/predictions.jsonl") + Read("viz/predictions.md");
  };
  OutputWriter alone = OutputWriter::Open(options, 4).value();
  for (const Prediction& page : pages) ASSERT_TRUE(alone.Add(page).ok());
  ASSERT_TRUE(alone.Finish(failures).ok());
  const std::string want = all();
  for (size_t complete = 0; complete <= pages.size(); ++complete) {
    SCOPED_TRACE(complete);
    fs::remove_all(scratch_ / "out");
    OutputWriter killed = OutputWriter::Open(options, 4).value();
    OutputWriter::Done done;
    for (size_t i = 0; i < pages.size(); ++i) {
      if (i == complete) done.marks = killed.marks();
      ASSERT_TRUE(killed.Add(pages[i]).ok());
      if (i < complete) done.folders.push_back(killed.marks().folder);
    }
    if (complete == pages.size()) done.marks = killed.marks();
    Result<OutputWriter> next = OutputWriter::Continue(options, 4, done);
    ASSERT_TRUE(next.ok()) << next.error().message();
    for (size_t i = complete; i < pages.size(); ++i) {
      ASSERT_TRUE(next.value().Add(pages[i]).ok());
    }
    ASSERT_TRUE(next.value().Finish(failures).ok());
    EXPECT_EQ(all(), want);
  }
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
