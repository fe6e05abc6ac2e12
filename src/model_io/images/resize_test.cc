#include "model_io/images/resize.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "os/files.h"

namespace ridgeline::images {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kGolden =
    fs::path(RIDGELINE_TESTS_DIR) / "data" / "deepseek_ocr" / "golden";

// Images as tensors (height, width, 3) of a .safetensors file: the length of a JSON
// header in 8 bytes, the header, the bytes of all tensors.
class Tensors {
 public:
  explicit Tensors(const fs::path& path) : bytes_(os::ReadFile(path).value()) {
    uint64_t length = 0;
    for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<uint8_t>(bytes_[i]);
    head_ = Json::parse(bytes_.substr(8, length));
    data_ = 8 + length;
  }

  Image ImageOf(const std::string& name) const {
    const Json& entry = head_.at(name);
    Image image{.width = entry.at("shape")[1], .height = entry.at("shape")[0]};
    const size_t begin = data_ + entry.at("data_offsets")[0].get<size_t>();
    const size_t end = data_ + entry.at("data_offsets")[1].get<size_t>();
    for (size_t i = begin; i < end; ++i) {
      image.rgb.push_back(static_cast<uint8_t>(bytes_[i]));
    }
    return image;
  }

 private:
  std::string bytes_;
  Json head_;
  size_t data_ = 0;
};

TEST(Resize, GivesThePixelsOfPillow) {
  const Tensors tensors(kGolden / "resize.safetensors");
  const Json cases = Json::parse(os::ReadFile(kGolden / "resize.json").value());
  ASSERT_EQ(cases.size(), 20U);
  for (const Json& c : cases) {
    SCOPED_TRACE(c.dump());
    const std::string op = c.at("op");
    const std::string name = op + std::to_string(c.at("k").get<int>());
    const Image from = tensors.ImageOf(name + "/in");
    const Image want = tensors.ImageOf(name + "/out");
    const int side = c.at("dst")[0];
    const Image got = op == "pad" ? PadResize(from, side, {127, 127, 127}).value()
                                  : ResizeBicubic(from, side, c.at("dst")[1].get<int>());
    EXPECT_TRUE(got == want);
  }
}

// Sums cover whole blocks of pixels, and the remainder.
TEST(Resize, KeepsOneColourAtAnySize) {
  const Colour colour = {0, 128, 255};
  for (const int from : {1, 2, 31, 33, 100}) {
    for (const int to : {1, 2, 31, 32, 33, 65, 257}) {
      SCOPED_TRACE(testing::Message() << from << " to " << to);
      EXPECT_EQ(ResizeBicubic(Filled(from, 7, colour), to, 40), Filled(to, 40, colour));
      EXPECT_EQ(ResizeBicubic(Filled(7, from, colour), 40, to), Filled(40, to, colour));
    }
  }
}

// Rows that are no longer needed are dropped; a wide window moves over a tall image.
TEST(Resize, IsTheSameForThePartsOfATallPicture) {
  Image tall = Filled(3, 4000, {10, 20, 30});
  for (int y = 2000; y < 4000; ++y) std::fill_n(tall.row(y), 9, uint8_t{200});
  const Image scaled = ResizeBicubic(tall, 50, 100);
  EXPECT_EQ(Crop(scaled, {.width = 50, .height = 48}), Filled(50, 48, {10, 20, 30}));
  EXPECT_EQ(Crop(scaled, {.top = 52, .width = 50, .height = 48}),
            Filled(50, 48, {200, 200, 200}));
}

TEST(PadResize, RefusesWhatWouldVanish) {
  const Result<Image> image = PadResize(Filled(1, 5000, {}), 1024, {127, 127, 127});
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().message(),
            "1x5000 pixels: aspect ratio too extreme to fit into 1024x1024");
  EXPECT_TRUE(PadResize(Filled(1, 2000, {}), 1024, {127, 127, 127}).ok());
}

TEST(PadResize, PutsThePictureIntoTheMiddle) {
  const Image image = PadResize(Filled(40, 20, {1, 2, 3}), 40, {9, 9, 9}).value();
  Image want = Filled(40, 40, {9, 9, 9});
  Paste(Filled(40, 20, {1, 2, 3}), 0, 10, want);
  EXPECT_EQ(image, want);
}

}  // namespace
}  // namespace ridgeline::images
