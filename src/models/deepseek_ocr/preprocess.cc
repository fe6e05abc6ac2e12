#include "models/deepseek_ocr/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "model_io/images/resize.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using images::Image;

constexpr int kPatch = 16;        // Pixels of SAM's patches.
constexpr int kDownsampling = 4;  // Of the two convolutions after SAM.
constexpr int kSizeMin = kPatch;
constexpr int kSizeMax = 99 * kPatch * kDownsampling;  // Beyond it, feature ids collide.
constexpr int kCropsMin = 2;
constexpr int kCropsMax = 9;
// int(0.5 * 255), where 0.5 is the mean subtracted by normalization.
constexpr images::Colour kBorder = {127, 127, 127};

// Tokens along one side of a view.
int TokensOfSide(int size) {
  const int patches = size / kPatch;
  return (patches + kDownsampling - 1) / kDownsampling;
}

Status CheckSize(std::string_view key, int size) {
  if (size >= kSizeMin && size <= kSizeMax) return Ok();
  return Error(ErrorCode::kConfig,
               fmt::format("model.preprocess.{} is {}; expected {} to {} pixels", key,
                           size, kSizeMin, kSizeMax));
}

bool MayCrop(const PreprocessOptions& options) {
  return options.enable && options.crop_mode;
}

Status CheckOptions(const PreprocessOptions& options) {
  if (MayCrop(options)) {
    RIDGELINE_RETURN_IF_ERROR(CheckSize("base_size", options.base_size));
  }
  return CheckSize("image_size", options.image_size);
}

// Side length of the global view.
int GlobalSize(const PreprocessOptions& options) {
  return MayCrop(options) ? options.base_size : options.image_size;
}

Result<Image> GlobalView(const Image& page, const PreprocessOptions& options) {
  const int size = GlobalSize(options);
  // Small views without crops are stretched, not padded.
  const bool squashed = !options.enable || (!options.crop_mode && size <= kCropSide);
  if (squashed) return images::ResizeBicubic(page, size, size);
  return images::PadResize(page, size, kBorder);
}

std::vector<Image> CutCrops(const Image& page, GridChoice grid) {
  std::vector<Image> crops;
  if (grid.crops() == 0) return crops;
  const Image scaled =
      images::ResizeBicubic(page, kCropSide * grid.cols, kCropSide * grid.rows);
  for (int row = 0; row < grid.rows; ++row) {
    for (int col = 0; col < grid.cols; ++col) {
      crops.push_back(images::Crop(scaled, {.left = col * kCropSide,
                                            .top = row * kCropSide,
                                            .width = kCropSide,
                                            .height = kCropSide}));
    }
  }
  return crops;
}

void AppendLocal(GridChoice grid, std::vector<int32_t>& features) {
  const int side = TokensOfSide(kCropSide);
  for (int line = 0; line < grid.rows * side; ++line) {
    for (int place = 0; place < grid.cols * side; ++place) {
      const int crop = line / side * grid.cols + place / side;
      features.push_back(LocalFeature(crop, line % side, place % side));
    }
    features.push_back(kNewlineFeature);
  }
}

void AppendGlobal(int side, std::vector<int32_t>& features) {
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) features.push_back(GlobalFeature(y, x));
    features.push_back(kNewlineFeature);
  }
  features.push_back(kSeparatorFeature);
}

size_t PlaceholdersOf(GridChoice grid, const PreprocessOptions& options) {
  const int global = TokensOfSide(GlobalSize(options));
  int count = global * (global + 1) + 1;
  const int local = TokensOfSide(options.image_size);
  if (grid.crops() > 0) count += (local * grid.cols + 1) * (local * grid.rows);
  return static_cast<size_t>(count);
}

}  // namespace

GridChoice ChooseGrid(int width, int height) {
  if (width <= kCropSide && height <= kCropSide) return {};
  const double aspect = static_cast<double>(width) / height;
  const double area = static_cast<double>(width) * height;
  double best_difference = std::numeric_limits<double>::infinity();
  GridChoice best;
  // Fewer crops first: of two grids of the same shape, the larger one is chosen only if
  // the page would fill half of it.
  for (int crops = kCropsMin; crops <= kCropsMax; ++crops) {
    for (int cols = 1; cols <= crops; ++cols) {
      if (crops % cols != 0) continue;
      const GridChoice grid{.cols = cols, .rows = crops / cols};
      const double difference =
          std::abs(aspect - static_cast<double>(grid.cols) / grid.rows);
      const bool fills_half = area > 0.5 * kCropSide * kCropSide * crops;
      if (difference < best_difference || (difference == best_difference && fills_half)) {
        best_difference = difference;
        best = grid;
      }
    }
  }
  return best;
}

Result<PageViews> MakeViews(const Image& page, const PreprocessOptions& options) {
  RIDGELINE_RETURN_IF_ERROR(CheckOptions(options));
  RIDGELINE_TRY(Image global, GlobalView(page, options));
  const GridChoice grid =
      MayCrop(options) ? ChooseGrid(page.width, page.height) : GridChoice{};
  return PageViews{.global = std::move(global),
                   .crops = CutCrops(page, grid),
                   .grid_cols = grid.cols,
                   .grid_rows = grid.rows,
                   .width = page.width,
                   .height = page.height};
}

Result<TokenLayout> LayoutTokens(GridChoice grid, const PreprocessOptions& options) {
  RIDGELINE_RETURN_IF_ERROR(CheckOptions(options));
  TokenLayout layout;
  if (grid.crops() > 0) AppendLocal(grid, layout.features);
  AppendGlobal(TokensOfSide(GlobalSize(options)), layout.features);
  const size_t placeholders = PlaceholdersOf(grid, options);
  if (placeholders > layout.features.size()) {
    return Error(
        ErrorCode::kConfig,
        fmt::format(
            "model.preprocess.image_size is {}; the maximum with crop_mode=true is {}",
            options.image_size, kCropSide));
  }
  layout.features.resize(placeholders);
  return layout;
}

Result<int64_t> CountPlaceholders(const PageViews& views,
                                  const PreprocessOptions& options) {
  RIDGELINE_TRY(const TokenLayout layout, LayoutTokens(views.grid(), options));
  return layout.placeholders();
}

void NormalizeInto(const Image& view, float* chw) {
  std::array<float, 256> normal;
  for (size_t v = 0; v < normal.size(); ++v) {
    normal[v] = (static_cast<float>(v) / 255.0F - 0.5F) / 0.5F;
  }
  const size_t pixels = view.rgb.size() / 3;
  float* red = chw;
  float* green = red + pixels;
  float* blue = green + pixels;
  for (size_t i = 0; i < pixels; ++i) {
    red[i] = normal[view.rgb[3 * i]];
    green[i] = normal[view.rgb[3 * i + 1]];
    blue[i] = normal[view.rgb[3 * i + 2]];
  }
}

}  // namespace ridgeline::models::deepseek_ocr
