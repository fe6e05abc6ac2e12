#include "model_io/images/decode.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/digest.h"
#include "os/files.h"

namespace ridgeline::images {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kData = fs::path(RIDGELINE_TESTS_DIR) / "data";

std::string Sha256(const std::vector<uint8_t>& bytes) {
  return ridgeline::Sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Json ReadJson(const fs::path& path) { return Json::parse(os::ReadFile(path).value()); }

void ExpectPixels(const fs::path& path, int width, int height, const std::string& sha) {
  SCOPED_TRACE(path);
  const Result<Image> image = LoadImage(path);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image.value().width, width);
  EXPECT_EQ(image.value().height, height);
  EXPECT_EQ(Sha256(image.value().rgb), sha);
}

// All pixel formats, with and without interlacing; EXIF, XMP etc.
TEST(Decode, GivesThePixelsOfPillow) {
  const Json expected = ReadJson(kData / "images" / "expected.json");
  ASSERT_GT(expected.at("files").size(), 60U);
  for (const auto& [name, want] : expected.at("files").items()) {
    ExpectPixels(kData / "images" / name, want.at("width"), want.at("height"),
                 want.at("rgb_sha256"));
  }
}

TEST(Decode, GivesThePixelsOfPillowForWholePages) {
  const fs::path pages = kData / "deepseek_ocr";
  std::map<std::string, Json> decoded;
  const Json recorded = ReadJson(pages / "golden" / "views.json");
  for (const Json& c : recorded.at("cases")) {
    decoded[c.at("image")] = c.at("decoded");
  }
  ASSERT_EQ(decoded.size(), 10U);
  for (const auto& [name, want] : decoded) {
    ExpectPixels(pages / "images" / name, want.at("size")[0], want.at("size")[1],
                 want.at("rgb_sha256"));
  }
}

TEST(Decode, TellsFormatsByTheirBytesNotByTheirName) {
  const std::string bytes = os::ReadFile(kData / "images" / "grey8.png").value();
  const Result<Image> image = DecodeImage(bytes, "page.jpg");
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image.value(), LoadImage(kData / "images" / "grey8.png").value());
}

TEST(Decode, SaysWhichFileIsMissing) {
  const Result<Image> image = LoadImage("/absent/page.png");
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(image.error().message(), "/absent/page.png: No such file or directory");
}

TEST(Decode, ReadsOnlyRegularFiles) {
  EXPECT_EQ(LoadImage("/dev/zero").error().message(), "/dev/zero: not a regular file");
  EXPECT_EQ(LoadImage("/dev").error().message(), "/dev: Is a directory");
}

TEST(Decode, ReadsOnlyFilesWithinTheLimit) {
  const fs::path path = kData / "images" / "grey8.png";
  const Result<Image> image = LoadImage(path, {.file_bytes_max = 100});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().message(),
            path.string() + ": 328 bytes; the limit is 100 bytes");
}

}  // namespace
}  // namespace ridgeline::images
