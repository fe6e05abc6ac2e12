#include "model_io/predictions/page_boxes.h"

#include <gtest/gtest.h>

namespace ridgeline::predictions {
namespace {

PageBoxes OfOne(const ModelBox& box, int width, int height) {
  return BoxesOnPage({.groundings = {{.label = "x", .boxes = {box}}}}, width, height);
}

TEST(PageBoxes, PutsTheModelsNumbersOnThePage) {
  struct Case {
    const char* what;
    ModelBox model;
    PixelBox want;
    bool degenerate;
    bool clamped;
  };
  const Case cases[] = {
      {"the whole page", {0, 0, 999, 999}, {0, 0, 640, 480}, false, false},
      {"cut, not rounded", {1, 3, 500, 998}, {0, 1, 320, 479}, false, false},
      {"beyond the page", {-20, 0, 1200, 1'000'000}, {0, 0, 640, 480}, false, true},
      {"beside the page", {1000, 0, 1200, 999}, {640, 0, 640, 480}, true, true},
      {"a point", {500, 500, 500, 500}, {320, 240, 320, 240}, true, false},
      {"turned over", {600, 100, 300, 200}, {384, 48, 192, 96}, true, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const PageBoxes page = OfOne(c.model, 640, 480);
    ASSERT_EQ(page.boxes.size(), 1U);
    EXPECT_EQ(page.boxes[0].pixels, c.want);
    EXPECT_EQ(page.boxes[0].pixels.degenerate(), c.degenerate);
    EXPECT_EQ(page.degenerate, c.degenerate ? 1U : 0U);
    EXPECT_EQ(page.clamped, c.clamped ? 1U : 0U);
  }
}

TEST(PageBoxes, NumbersTheBoxesOfImages) {
  const GroundedText grounded = {
      .groundings = {{.label = "image", .boxes = {{1, 1, 9, 9}, {5, 5, 5, 5}}},
                     {.label = "text", .boxes = {{1, 1, 9, 9}}},
                     {.label = "image", .boxes = {{100, 100, 900, 900}}}}};
  const PageBoxes page = BoxesOnPage(grounded, 1000, 1000);
  ASSERT_EQ(page.boxes.size(), 4U);
  EXPECT_EQ(page.boxes[0].crop, 0U);
  EXPECT_EQ(page.boxes[1].crop, 1U);
  EXPECT_EQ(page.boxes[2].crop, std::nullopt);
  EXPECT_EQ(page.boxes[3].crop, 2U);
}

TEST(PageBoxes, CountsThoseThatAreTooMany) {
  GroundedText grounded;
  grounded.groundings.push_back(
      {.label = "x", .boxes = std::vector<ModelBox>(kBoxesMax + 7, {0, 0, 999, 999})});
  const PageBoxes page = BoxesOnPage(grounded, 10, 10);
  EXPECT_EQ(page.boxes.size(), kBoxesMax);
  EXPECT_EQ(page.left_out, 7U);
}

}  // namespace
}  // namespace ridgeline::predictions
