#include "models/deepseek_ocr/preprocess.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "base/digest.h"
#include "model_io/images/decode.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

namespace fs = std::filesystem;
using images::Image;
using Json = nlohmann::json;

const fs::path kData = fs::path(RIDGELINE_TESTS_DIR) / "data" / "deepseek_ocr";

// All recorded data, which is too large for this repository.
fs::path SharedData() {
  const fs::path beside = fs::path(RIDGELINE_SOURCE_DIR) / ".." / "shared";
  return fs::path(os::GetEnv("RIDGELINE_SHARED").value_or(beside.string())) / "golden" /
         "deepseek_ocr";
}

Json ReadJson(const fs::path& path) { return Json::parse(os::ReadFile(path).value()); }

std::string Sha256(const std::vector<uint8_t>& bytes) {
  return ridgeline::Sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Little-endian, as in .safetensors files.
uint64_t Number(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return number;
}

// Tensors of 32-bit integers: the length of a JSON header in 8 bytes, the header, the
// bytes of all tensors.
std::map<std::string, std::vector<int32_t>> ReadTensors(const fs::path& path) {
  const std::string file = os::ReadFile(path).value();
  const std::string_view bytes = file;
  const uint64_t length = Number(bytes.substr(0, 8));
  const std::string_view data = bytes.substr(8 + length);
  const Json head = Json::parse(bytes.substr(8, length));
  std::map<std::string, std::vector<int32_t>> tensors;
  for (const auto& [name, entry] : head.items()) {
    const size_t end = entry.at("data_offsets")[1];
    for (size_t at = entry.at("data_offsets")[0]; at < end; at += 4) {
      tensors[name].push_back(static_cast<int32_t>(Number(data.substr(at, 4))));
    }
  }
  return tensors;
}

PreprocessOptions OptionsOf(const Json& c) {
  return {.base_size = c.at("base_size"),
          .image_size = c.at("image_size"),
          .crop_mode = c.at("crop_mode")};
}

// Sizes and hashes of the views, in the format of the recorded ones.
Json Summary(const PageViews& views) {
  Json summary = Json::array();
  const auto add = [&summary](const std::string& name, const Image& view) {
    summary.push_back({{"name", name},
                       {"size", {view.width, view.height}},
                       {"u8_sha256", Sha256(view.rgb)}});
  };
  add("global", views.global);
  for (size_t i = 0; i < views.crops.size(); ++i) {
    add("crop" + std::to_string(i), views.crops[i]);
  }
  return summary;
}

void CheckCase(const Json& c, const Image& page) {
  const PreprocessOptions options = OptionsOf(c);
  EXPECT_EQ(Json({page.width, page.height}), c.at("decoded").at("size"));
  EXPECT_EQ(Sha256(page.rgb), c.at("decoded").at("rgb_sha256"));
  const Result<PageViews> made = MakeViews(page, options);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const PageViews& views = made.value();
  EXPECT_EQ(Json({views.width, views.height}), c.at("decoded").at("size"));
  EXPECT_EQ(Json({views.grid_cols, views.grid_rows}), c.at("grid_cols_rows"));
  EXPECT_EQ(views.crops.size(), c.at("num_crops"));
  EXPECT_EQ(CountPlaceholders(views, options).value(), c.at("num_image_tokens"));
  const Json summary = Summary(views);
  ASSERT_EQ(summary.size(), c.at("views").size());
  for (size_t i = 0; i < summary.size(); ++i) {
    for (const char* key : {"name", "size", "u8_sha256"}) {
      EXPECT_EQ(summary[i].at(key), c.at("views")[i].at(key)) << "view " << i;
    }
  }
}

// Cases that differ only in their prompt are computed once.
void CheckCases(const Json& cases, const fs::path& pages) {
  std::map<std::string, Image> decoded;
  std::map<std::tuple<std::string, int, int, bool>, Json> done;
  for (const Json& c : cases) {
    const std::string name = c.at("image");
    const PreprocessOptions options = OptionsOf(c);
    SCOPED_TRACE(testing::Message() << name << ' ' << options.base_size << '/'
                                    << options.image_size << ' ' << options.crop_mode);
    const auto [before, is_new] = done.try_emplace(
        {name, options.base_size, options.image_size, options.crop_mode}, c.at("views"));
    if (!is_new) {
      EXPECT_EQ(before->second, c.at("views"));
      continue;
    }
    if (!decoded.contains(name)) {
      decoded[name] = images::LoadImage(pages / name).value();
    }
    CheckCase(c, decoded.at(name));
  }
}

// A small subset of the recorded cases, in this repository: 10 pages, 8 settings.
TEST(Preprocess, SeesThePagesAsTheVendorDoes) {
  const Json cases = ReadJson(kData / "golden" / "views.json").at("cases");
  ASSERT_EQ(cases.size(), 72U);
  CheckCases(cases, kData / "images");
}

TEST(Preprocess, SeesThePagesOfAllRecordedCasesAsTheVendorDoes) {
  const fs::path shared = SharedData();
  if (!os::Exists(shared / "golden" / "cases.json")) {
    GTEST_SKIP() << "no recorded cases in " << shared << "; see RIDGELINE_SHARED";
  }
  const Json cases = ReadJson(shared / "golden" / "cases.json").at("cases");
  ASSERT_EQ(cases.size(), 82U);
  CheckCases(cases, shared / "images");
}

TEST(ChooseGrid, ChoosesTheVendorsGrid) {
  // [width, height, columns, rows, number of crops]
  const Json rows = ReadJson(kData / "golden" / "crop_grid.json").at("rows");
  ASSERT_GT(rows.size(), 100U);
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    const GridChoice grid = ChooseGrid(row[0], row[1]);
    EXPECT_EQ(grid, (GridChoice{.cols = row[2], .rows = row[3]}));
    EXPECT_EQ(grid.crops(), row[4]);
  }
}

TEST(ChooseGrid, DoesNotCutWhatIsNotLargerThanACrop) {
  EXPECT_EQ(ChooseGrid(640, 640), GridChoice{});
  EXPECT_EQ(ChooseGrid(640, 640).crops(), 0);
  EXPECT_EQ(ChooseGrid(1, 1), GridChoice{});
  EXPECT_EQ(ChooseGrid(641, 1), (GridChoice{.cols = 9, .rows = 1}));
}

// "grid2x3_b1024_i640_crop"
TEST(LayoutTokens, OrdersTheFeaturesAsTheVendorDoes) {
  const auto layouts = ReadTensors(kData / "golden" / "layout.safetensors");
  ASSERT_EQ(layouts.size(), 23U);
  for (const auto& [name, want] : layouts) {
    SCOPED_TRACE(name);
    GridChoice grid;
    PreprocessOptions options;
    ASSERT_EQ(std::sscanf(name.c_str(), "grid%dx%d_b%d_i%d", &grid.cols, &grid.rows,
                          &options.base_size, &options.image_size),
              4);
    options.crop_mode = name.ends_with("_crop");
    const Result<TokenLayout> layout = LayoutTokens(grid, options);
    ASSERT_TRUE(layout.ok()) << layout.error().message();
    EXPECT_EQ(layout.value().features, want);
  }
}

TEST(LayoutTokens, LosesTheLastFeaturesIfTheCropsAreCountedTooSmall) {
  const GridChoice grid{.cols = 2, .rows = 1};
  const auto whole = LayoutTokens(grid, {.base_size = 512, .image_size = 640}).value();
  const auto cut = LayoutTokens(grid, {.base_size = 512, .image_size = 512}).value();
  EXPECT_EQ(whole.features.back(), kSeparatorFeature);
  EXPECT_EQ(cut.placeholders(), 73 + 17 * 8);
  EXPECT_TRUE(
      std::equal(cut.features.begin(), cut.features.end(), whole.features.begin()));
}

TEST(LayoutTokens, RefusesCropsThatAreCountedTooLarge) {
  const PreprocessOptions options{.base_size = 1024, .image_size = 1024};
  const Result<TokenLayout> layout = LayoutTokens({.cols = 2, .rows = 1}, options);
  ASSERT_FALSE(layout.ok());
  EXPECT_EQ(layout.error().code(), ErrorCode::kConfig);
  EXPECT_EQ(
      layout.error().message(),
      "model.preprocess.image_size is 1024; the maximum with crop_mode=true is 640");
  EXPECT_EQ(LayoutTokens({}, options).value().placeholders(), 273);
}

TEST(Preprocess, RefusesSizesThatMakeNoTokens) {
  struct Case {
    PreprocessOptions options;
    const char* want;  // Empty: no error.
  };
  const Case cases[] = {
      {{.base_size = 15}, "model.preprocess.base_size is 15; expected 16 to 6336 pixels"},
      {{.image_size = 6337},
       "model.preprocess.image_size is 6337; expected 16 to 6336 pixels"},
      {{.image_size = -1, .crop_mode = false},
       "model.preprocess.image_size is -1; expected 16 to 6336 pixels"},
      // Not used.
      {{.base_size = 0, .image_size = 16, .crop_mode = false}, ""},
  };
  for (const Case& c : cases) {
    const Result<PageViews> views = MakeViews(images::Filled(20, 20, {}), c.options);
    const Result<TokenLayout> layout = LayoutTokens({}, c.options);
    EXPECT_EQ(views.ok() ? "" : views.error().message(), c.want);
    EXPECT_EQ(layout.ok() ? "" : layout.error().message(), c.want);
  }
}

TEST(Preprocess, RefusesAPageThatIsTooNarrow) {
  const Result<PageViews> views = MakeViews(images::Filled(3000, 1, {}), {});
  ASSERT_FALSE(views.ok());
  EXPECT_EQ(views.error().message(),
            "3000x1 pixels: aspect ratio too extreme to fit into 1024x1024");
}

TEST(Normalize, WritesOneColourAfterTheOther) {
  const Image image{.width = 2, .height = 1, .rgb = {0, 127, 255, 128, 1, 254}};
  std::array<float, 6> chw = {};
  NormalizeInto(image, chw.data());
  const auto normal = [](int v) { return (static_cast<float>(v) / 255 - 0.5F) / 0.5F; };
  EXPECT_EQ(chw, (std::array<float, 6>{-1, normal(128), normal(127), normal(1), 1,
                                       normal(254)}));
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
