// Converts a page to views for the encoders, and determines the order of their features
// for the decoder. Matches the vendor's code pixel by pixel and token by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "cost/ledger.h"
#include "model_io/images/image.h"

namespace ridgeline::models::deepseek_ocr {

// Side length of a crop, regardless of `image_size`.
constexpr int kCropSide = 640;

// Sides are in pixels, from 16 (one patch) to 6336. The vendor's names:
//   Tiny 512/512, Small 640/640, Base 1024/1024, Large 1280/1280, all without crops;
//   Gundam 1024/640 with crops.
using cost::GridChoice;
using cost::PreprocessOptions;

// 1x1 (no crops) for pages not larger than a crop; otherwise 2 to 9 crops in the grid
// whose aspect ratio is nearest to the page's.
GridChoice ChooseGrid(int width, int height);

struct PageViews {
  images::Image global;              // The whole page, a square.
  std::vector<images::Image> crops;  // Row by row; empty if the grid is 1x1.
  int grid_cols = 1;
  int grid_rows = 1;
  int width = 0;  // Of the upright page.
  int height = 0;

  GridChoice grid() const { return {.cols = grid_cols, .rows = grid_rows}; }
};

// Fails if a size is out of range or the page is so narrow that nothing of it is left in
// the global view.
Result<PageViews> MakeViews(const images::Image& page, const PreprocessOptions& options);

// Source of an image token's feature: LocalFeature() or GlobalFeature() of a position, or
// one of these two learned vectors.
constexpr int32_t kNewlineFeature = -1;
constexpr int32_t kSeparatorFeature = -2;
constexpr int32_t LocalFeature(int crop, int y, int x) {
  return 1'000'000 + crop * 10'000 + y * 100 + x;
}
constexpr int32_t GlobalFeature(int y, int x) { return 2'000'000 + y * 100 + x; }

// Image tokens in sequence order.
struct TokenLayout {
  std::vector<int32_t> features;

  int64_t placeholders() const { return static_cast<int64_t>(features.size()); }
};

// The crops, reassembled to the page, line by line with a newline after each; the same
// for the global view; a separator.
//
// With crops, the vendor counts the placeholders as if the side of a crop were
// `image_size`. If it is less than 640 there are fewer placeholders than features, and
// the last features are lost; if it is more, there are too few features, which is an
// error.
Result<TokenLayout> LayoutTokens(GridChoice grid, const PreprocessOptions& options);

// Number of image tokens in the prompt: LayoutTokens(...).placeholders().
Result<int64_t> CountPlaceholders(const PageViews& views,
                                  const PreprocessOptions& options);

// Writes (v / 255 - 0.5) / 0.5 in fp32, first all reds, then all greens, then all blues:
// 3 * width * height floats.
void NormalizeInto(const images::Image& view, float* chw);

}  // namespace ridgeline::models::deepseek_ocr
