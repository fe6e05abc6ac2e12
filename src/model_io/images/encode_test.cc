#include "model_io/images/encode.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "model_io/images/decode.h"
#include "model_io/images/testing/encode_png.h"

namespace ridgeline::images {
namespace {

// Smooth, so that JPEG preserves it.
Image Gradient(int width, int height) {
  Image image{.width = width, .height = height};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.rgb.push_back(static_cast<uint8_t>(255 * x / width));
      image.rgb.push_back(static_cast<uint8_t>(255 * y / height));
      image.rgb.push_back(static_cast<uint8_t>(255 * (x + y) / (width + height)));
    }
  }
  return image;
}

TEST(Encode, PngComesBackAsItWas) {
  for (const Image& image : {Gradient(37, 20), Gradient(1, 1), Gradient(1, 300)}) {
    const Result<std::string> png = EncodePng(image);
    ASSERT_TRUE(png.ok()) << png.error().message();
    EXPECT_EQ(DecodeImage(png.value(), "page").value(), image);
  }
}

TEST(Encode, JpegComesBackNearlyAsItWas) {
  const Image image = Gradient(64, 48);
  const Image back = DecodeImage(EncodeJpeg(image, 95).value(), "page").value();
  ASSERT_EQ(back.rgb.size(), image.rgb.size());
  int difference_max = 0;
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    difference_max = std::max(difference_max, std::abs(image.rgb[i] - back.rgb[i]));
  }
  EXPECT_LE(difference_max, 12);
}

TEST(Encode, LowerQualityIsSmaller) {
  const Image image = Gradient(200, 200);
  EXPECT_LT(EncodeJpeg(image, 20).value().size(), EncodeJpeg(image, 95).value().size());
}

TEST(Encode, TheSameImageGivesTheSameBytes) {
  const Image image = Gradient(50, 40);
  EXPECT_EQ(EncodePng(image).value(), EncodePng(image).value());
  EXPECT_EQ(EncodeJpeg(image, 75).value(), EncodeJpeg(image, 75).value());
}

TEST(Encode, SaysWhichSizesAFormatDoesNotHave) {
  const Result<std::string> wide = EncodeJpeg(Filled(65'501, 1, {}), 75);
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().message(),
            "65501x1 pixels as JPEG: Maximum supported image dimension is 65500 pixels");
  EXPECT_EQ(EncodeJpeg({}, 75).error().message(),
            "0x0 pixels as JPEG: Empty JPEG image (DNL not supported)");
  EXPECT_EQ(EncodePng({}).error().message(), "0x0 pixels as PNG: Invalid IHDR data");
}

}  // namespace
}  // namespace ridgeline::images
