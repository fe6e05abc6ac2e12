#include <gtest/gtest.h>

#include <cstdlib>

#include "model_io/images/encode.h"
#include "model_io/predictions/label_colour.h"
#include "model_io/predictions/write_page.h"

namespace ridgeline::predictions {
namespace {

using images::Colour;
using images::Image;

constexpr Colour kPaper = {250, 240, 230};

Colour At(const Image& image, int x, int y) {
  const uint8_t* rgb = image.row(y) + ptrdiff_t{3} * x;
  return {rgb[0], rgb[1], rgb[2]};
}

PageBox Box(const std::string& label, const PixelBox& pixels) {
  return {.label = label, .pixels = pixels};
}

Colour Mixed(Colour over, Colour under) {
  const auto mix = [](uint8_t a, uint8_t b) {
    return static_cast<uint8_t>(kFillOpacity * a + (1 - kFillOpacity) * b);
  };
  return {mix(over.red, under.red), mix(over.green, under.green),
          mix(over.blue, under.blue)};
}

void ExpectNear(Colour got, Colour want) {
  EXPECT_LE(std::abs(got.red - want.red), 2);
  EXPECT_LE(std::abs(got.green - want.green), 2);
  EXPECT_LE(std::abs(got.blue - want.blue), 2);
}

TEST(DrawBoxes, OutlinesFillsAndLeavesTheRestAlone) {
  const Image page = images::Filled(400, 300, kPaper);
  const PageBox boxes[] = {Box("text", {100, 80, 300, 200})};
  const Image drawn = DrawBoxes(page, boxes).value();
  ASSERT_EQ(drawn.width, 400);
  ASSERT_EQ(drawn.height, 300);
  const Colour colour = LabelColour("text");
  EXPECT_EQ(OutlineWidth(400, 300), 2);
  for (const auto& [x, y] : {std::pair(100, 80), {101, 150}, {299, 199}, {200, 198}}) {
    SCOPED_TRACE(testing::Message() << x << "," << y);
    EXPECT_EQ(ToHex(At(drawn, x, y)), ToHex(colour));
  }
  ExpectNear(At(drawn, 102, 82), Mixed(colour, kPaper));
  ExpectNear(At(drawn, 250, 150), Mixed(colour, kPaper));
  for (const auto& [x, y] : {std::pair(99, 150), {300, 150}, {200, 200}, {5, 5}}) {
    SCOPED_TRACE(testing::Message() << x << "," << y);
    EXPECT_EQ(ToHex(At(drawn, x, y)), ToHex(kPaper));
  }
}

// Number of pixels in the area that are neither paper nor the label's colour: letters.
int CountInk(const Image& image, const images::Box& area, Colour colour) {
  int ink = 0;
  for (int y = area.top; y < area.top + area.height; ++y) {
    for (int x = area.left; x < area.left + area.width; ++x) {
      const std::string hex = ToHex(At(image, x, y));
      if (hex != ToHex(kPaper) && hex != ToHex(colour)) ++ink;
    }
  }
  return ink;
}

TEST(DrawBoxes, WritesTheLabelAboveTheBoxOrInsideAtThePagesEdge) {
  const Image page = images::Filled(400, 300, kPaper);
  const Colour colour = LabelColour("title");
  const PageBox low[] = {Box("title", {100, 80, 300, 200})};
  EXPECT_GT(CountInk(DrawBoxes(page, low).value(), {100, 65, 60, 15}, colour), 20);
  const PageBox high[] = {Box("title", {100, 0, 300, 200})};
  const Image inside = DrawBoxes(page, high).value();
  EXPECT_EQ(ToHex(At(inside, 101, 9)), ToHex(colour));
  const PageBox right[] = {Box("title", {395, 80, 400, 200})};
  EXPECT_GT(CountInk(DrawBoxes(page, right).value(), {360, 65, 40, 15}, colour), 20);
}

TEST(DrawBoxes, TheSameBoxesGiveTheSameBytes) {
  const Image page = images::Filled(200, 150, kPaper);
  const PageBox boxes[] = {Box("text", {10, 30, 90, 60}),
                           Box("image", {50, 40, 190, 140}),
                           Box("\xe8\xa1\xa8", {0, 0, 30, 20})};
  const std::string first =
      images::EncodeJpeg(DrawBoxes(page, boxes).value(), 90).value();
  EXPECT_EQ(images::EncodeJpeg(DrawBoxes(page, boxes).value(), 90).value(), first);
}

TEST(DrawBoxes, DrawsNothingForBoxesWithoutArea) {
  const Image page = images::Filled(50, 40, kPaper);
  const PageBox boxes[] = {Box("text", {10, 10, 10, 30}), Box("text", {30, 20, 10, 30})};
  EXPECT_EQ(DrawBoxes(page, boxes).value(), page);
  EXPECT_EQ(DrawBoxes(page, {}).value(), page);
}

TEST(DrawBoxes, TakesAnyLabel) {
  const Image page = images::Filled(60, 60, kPaper);
  for (const std::string& label :
       {std::string(), std::string("\0a\0", 3), std::string("a\nb\tc"),
        std::string("\xff\xfe\xc3"), std::string(100'000, 'w'), std::string("<b>&amp;"),
        std::string("\xe2\x80\xae right to left")}) {
    const PageBox boxes[] = {Box(label, {0, 0, 60, 60}), Box(label, {59, 59, 60, 60})};
    const Image drawn = DrawBoxes(page, boxes).value();
    EXPECT_EQ(drawn.rgb.size(), page.rgb.size());
    EXPECT_EQ(ToHex(At(drawn, 0, 40)), ToHex(LabelColour(label)));
  }
}

TEST(DrawBoxes, SaysWhichPagesAreTooLarge) {
  const Result<Image> drawn = DrawBoxes(images::Filled(32'768, 1, kPaper), {});
  ASSERT_FALSE(drawn.ok());
  EXPECT_EQ(
      drawn.error().message(),
      "drawing on 32768x1 pixels: invalid value (typically too big) for the size of "
      "the input (surface, pattern, etc.)");
}

}  // namespace
}  // namespace ridgeline::predictions
