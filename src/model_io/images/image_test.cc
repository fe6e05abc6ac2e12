#include "model_io/images/image.h"

#include <gtest/gtest.h>

namespace ridgeline::images {
namespace {

// Every pixel encodes its position.
Image Numbered(int width, int height) {
  Image image{.width = width, .height = height};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.rgb.push_back(static_cast<uint8_t>(x));
      image.rgb.push_back(static_cast<uint8_t>(y));
      image.rgb.push_back(7);
    }
  }
  return image;
}

TEST(Image, IsFilledWithOneColour) {
  const Image image = Filled(2, 1, {1, 2, 3});
  EXPECT_EQ(image, (Image{.width = 2, .height = 1, .rgb = {1, 2, 3, 1, 2, 3}}));
  EXPECT_TRUE(Filled(0, 5, {}).rgb.empty());
}

TEST(Image, IsCutOutOfALargerOne) {
  const Image part = Crop(Numbered(4, 3), {.left = 2, .top = 1, .width = 2, .height = 2});
  EXPECT_EQ(
      part,
      (Image{.width = 2, .height = 2, .rgb = {2, 1, 7, 3, 1, 7, 2, 2, 7, 3, 2, 7}}));
}

TEST(Image, CutOutAndPastedBackIsTheSame) {
  const Image whole = Numbered(5, 4);
  const Box box{.left = 1, .top = 2, .width = 3, .height = 2};
  Image canvas = whole;
  Paste(Filled(3, 2, {9, 9, 9}), box.left, box.top, canvas);
  EXPECT_NE(canvas, whole);
  EXPECT_EQ(canvas.row(1)[3], 1);  // Above the box.
  EXPECT_EQ(canvas.row(2)[3], 9);
  Paste(Crop(whole, box), box.left, box.top, canvas);
  EXPECT_EQ(canvas, whole);
}

}  // namespace
}  // namespace ridgeline::images
