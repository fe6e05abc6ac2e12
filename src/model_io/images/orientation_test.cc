#include "model_io/images/orientation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ridgeline::images {
namespace {

using namespace std::string_literals;

// A directory with one entry: Orientation, a short, 6.
const std::string kBigEndian =
    "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s;
const std::string kLittleEndian =
    "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"s;

std::string With(std::string bytes, size_t at, char byte) {
  bytes[at] = byte;
  return bytes;
}

TEST(Orientation, IsReadFromExif) {
  struct Case {
    const char* what;
    std::string exif;
    std::optional<int> want;
  };
  const Case cases[] = {
      {"big-endian", kBigEndian, 6},
      {"little-endian", kLittleEndian, 6},
      {"as it stands in a JPEG", "Exif\0\0"s + kBigEndian, 6},
      {"a long instead of a short",
       "II*\0\x08\0\0\0\x01\0\x12\x01\x04\0\x01\0\0\0\x08\0\0\0"s, 8},
      {"three shorts, which do not fit into the entry",
       "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x03\0\0\0\x16\0\0\0\x03\0\x01\0\x01\0"s, 3},
      {"the wrong header of some cameras", With(With(kBigEndian, 2, '*'), 3, '\0'), 6},
      {"no value of ours", With(kBigEndian, 19, '\x09'), 0},
      {"a byte, which Pillow does not take for a number", With(kBigEndian, 13, '\x01'),
       0},
      {"another tag", With(kBigEndian, 11, '\x13'), std::nullopt},
      {"an unknown type", With(kBigEndian, 13, '\x0e'), std::nullopt},
      {"no value", With(kBigEndian, 17, '\0'), std::nullopt},
      {"values beyond the end", With(kBigEndian, 14, '\x7f'), std::nullopt},
      {"the directory beyond the end", With(kBigEndian, 4, '\x7f'), std::nullopt},
      {"another byte order mark", With(kBigEndian, 0, 'X'), std::nullopt},
      {"nothing", "", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(OrientationOfExif(c.exif), c.want);
  }
}

TEST(Orientation, IsNotReadBeyondTheEndOfTheData) {
  for (size_t length = 0; length < 20; ++length) {
    SCOPED_TRACE(length);
    EXPECT_EQ(OrientationOfExif(kBigEndian.substr(0, length)), std::nullopt);
  }
}

TEST(Orientation, IsReadFromTexts) {
  EXPECT_EQ(OrientationOfRawProfile("\nexif\n  28\n4d4d002a0000\n00080001011200030000"
                                    "000100060000\n"),
            6);
  EXPECT_EQ(OrientationOfRawProfile("\nexif\n  28\nnot hexadecimal\n"), std::nullopt);
  EXPECT_EQ(OrientationOfRawProfile("one line"), std::nullopt);
  EXPECT_EQ(OrientationOfXmp("<a tiff:Orientation=\"8\"/>"), 8);
  EXPECT_EQ(OrientationOfXmp("<tiff:Orientation>3</tiff:Orientation>"), 3);
  EXPECT_EQ(OrientationOfXmp("tiff:Orientation tiff:Orientation=\"x tiff:Orientation>5"),
            5);
  EXPECT_EQ(OrientationOfXmp("tiff:Orientation=\""), std::nullopt);
}

// An image with one digit per pixel, rows separated by blanks.
Image FromDigits(const std::string& digits) {
  Image image;
  for (const char c : digits) {
    image.height += c == ' ' ? 1 : 0;
    if (c != ' ') image.rgb.insert(image.rgb.end(), 3, static_cast<uint8_t>(c));
  }
  image.height += 1;
  image.width = static_cast<int>(image.rgb.size()) / 3 / image.height;
  return image;
}

TEST(Orientation, TurnsThePictureUpright) {
  struct Case {
    int orientation;
    const char* want;
  };
  const Case cases[] = {
      {0, "123 456"},  {1, "123 456"},  {2, "321 654"},  {3, "654 321"},  {4, "456 123"},
      {5, "14 25 36"}, {6, "41 52 63"}, {7, "63 52 41"}, {8, "36 25 14"}, {9, "123 456"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.orientation);
    EXPECT_EQ(Upright(FromDigits("123 456"), c.orientation), FromDigits(c.want));
  }
}

}  // namespace
}  // namespace ridgeline::images
