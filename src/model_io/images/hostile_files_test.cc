// Files that are corrupt, by accident or on purpose.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model_io/images/decode.h"
#include "os/files.h"

namespace ridgeline::images {
namespace {

namespace fs = std::filesystem;

const fs::path kImages = fs::path(RIDGELINE_TESTS_DIR) / "data" / "images";

std::string BytesOf(const std::string& name) {
  return os::ReadFile(kImages / name).value();
}

std::vector<std::string> Pictures() {
  const std::vector<os::DirectoryEntry> entries = os::ListDirectory(kImages).value();
  std::vector<std::string> names;
  for (const os::DirectoryEntry& entry : entries) {
    const bool picture = !entry.name.ends_with(".json");
    if (entry.kind == os::FileKind::kRegular && picture) names.push_back(entry.name);
  }
  return names;
}

// Errors are a single line that begins with the file name.
void ExpectClear(const Result<Image>& image) {
  if (image.ok()) return;
  const std::string& message = image.error().message();
  EXPECT_TRUE(message.starts_with("page: ")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(HostileFiles, AreErrorsThatSayWhatIsWrong) {
  struct Case {
    const char* file;
    const char* want;
    ErrorCode code = ErrorCode::kParse;
  };
  constexpr ErrorCode kUnsupported = ErrorCode::kUnsupported;
  const Case cases[] = {
      {"empty.png", "the file is empty"},
      {"gif.gif", "not a PNG, JPEG or WebP file", kUnsupported},
      {"jpeg_12_bit.jpg", "not a readable JPEG: Unsupported JPEG data precision 12"},
      {"jpeg_half.jpg", "not a readable JPEG: the file is truncated"},
      {"jpeg_huge.jpg", "65500x65500 pixels; the limit is 178956970 pixels",
       kUnsupported},
      {"jpeg_many_scans.jpg", "not a readable JPEG: too many scans"},
      {"jpeg_no_pixels.jpg", "not a readable JPEG: Empty JPEG image (DNL not supported)"},
      {"jpeg_only_magic.jpg", "not a readable JPEG: the file is truncated"},
      {"jpeg_two_components.jpg",
       "unsupported JPEG: 2 color components, expected 1, 3 or 4", kUnsupported},
      {"png_crc_of_pixels.png", "not a readable PNG: IDAT: incorrect data check"},
      {"png_crc_of_text.png", "not a readable PNG: tEXt: CRC error"},
      {"png_depth_3.png", "not a readable PNG: Invalid IHDR data"},
      {"png_huge.png", "50000x50000 pixels; the limit is 178956970 pixels", kUnsupported},
      {"png_no_pixels.png", "not a readable PNG: Invalid IHDR data"},
      {"png_only_magic.png", "not a readable PNG: the file is truncated"},
      {"png_taller_than_its_data.png", "not a readable PNG: Not enough image data"},
      {"png_wide_beyond_libpng.png", "not a readable PNG: Invalid IHDR data"},
      {"png_without_end.png", "not a readable PNG: the file is truncated"},
      {"png_without_palette.png", "not a readable PNG: IDAT: Missing PLTE before IDAT"},
      {"webp_animated.webp", "animated WebP is not supported; save a single frame",
       kUnsupported},
      {"webp_damaged.webp", "not a readable WebP: corrupt data"},
      {"webp_half.webp", "not a readable WebP: the file is truncated"},
      {"webp_huge.webp", "16383x16383 pixels; the limit is 178956970 pixels",
       kUnsupported},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    const fs::path path = kImages / "broken" / c.file;
    const Result<Image> image = LoadImage(path);
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().message(), path.string() + ": " + c.want);
    EXPECT_EQ(image.error().code(), c.code);
  }
}

TEST(HostileFiles, CutAnywhereAreErrorsOrHaveAllPixels) {
  for (const std::string& name : Pictures()) {
    SCOPED_TRACE(name);
    const std::string bytes = BytesOf(name);
    const Image whole = DecodeImage(bytes, "page").value();
    int complete = 0;
    for (size_t length = 0; length < bytes.size(); ++length) {
      const Result<Image> image = DecodeImage(bytes.substr(0, length), "page");
      ExpectClear(image);
      if (!image.ok()) continue;
      EXPECT_EQ(image.value(), whole) << length;
      ++complete;
    }
    // A JPEG may lack its end marker; no other truncation may decode.
    EXPECT_LE(complete, name.ends_with(".jpg") ? 2 : 0);
  }
}

TEST(HostileFiles, WithAnyByteChangedDoNoHarm) {
  const DecodeLimits limits{.pixels_max = 1'000'000};
  for (const std::string& name : Pictures()) {
    SCOPED_TRACE(name);
    const std::string bytes = BytesOf(name);
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const int flip : {0x01, 0x80, 0xff}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ flip);
        const Result<Image> image = DecodeImage(changed, "page", limits);
        ExpectClear(image);
        if (!image.ok()) continue;
        const Image& got = image.value();
        EXPECT_LE(got.rgb.size(), 3'000'000U);
        EXPECT_EQ(got.rgb.size(), got.row_bytes() * static_cast<size_t>(got.height));
      }
    }
  }
}

TEST(HostileFiles, MayNotHaveMorePixelsThanAllowed) {
  for (const char* name : {"grey8.png", "grey.jpg", "lossy.webp"}) {
    SCOPED_TRACE(name);
    const std::string bytes = BytesOf(name);
    const Image whole = DecodeImage(bytes, "page").value();
    const int64_t pixels = int64_t{whole.width} * whole.height;
    EXPECT_TRUE(DecodeImage(bytes, "page", {.pixels_max = pixels}).ok());
    const Result<Image> image = DecodeImage(bytes, "page", {.pixels_max = pixels - 1});
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().message(), "page: 19x13 pixels; the limit is 246 pixels");
  }
}

}  // namespace
}  // namespace ridgeline::images
