#include "model_io/predictions/page_boxes.h"

#include <algorithm>

namespace ridgeline::predictions {
namespace {

// Divides first, then multiplies, in doubles, then truncates, like the authors of the
// model, so that crops have the same pixels.
int ToPixel(int coordinate, int size) {
  const double pixel = static_cast<double>(coordinate) / 999 * size;
  return static_cast<int>(std::clamp(pixel, 0.0, static_cast<double>(size)));
}

bool IsInRange(const ModelBox& box) {
  const auto [low, high] = std::minmax({box.x1, box.y1, box.x2, box.y2});
  return low >= 0 && high <= 999;
}

}  // namespace

PageBoxes BoxesOnPage(const GroundedText& grounded, int width, int height) {
  PageBoxes page;
  size_t crops = 0;
  for (const Grounding& grounding : grounded.groundings) {
    const bool is_image = grounding.label == images::kImageLabel;
    for (const ModelBox& box : grounding.boxes) {
      if (page.boxes.size() == kBoxesMax) {
        ++page.left_out;
        continue;
      }
      const PixelBox pixels{ToPixel(box.x1, width), ToPixel(box.y1, height),
                            ToPixel(box.x2, width), ToPixel(box.y2, height)};
      if (pixels.degenerate()) ++page.degenerate;
      if (!IsInRange(box)) ++page.clamped;
      page.boxes.push_back({.label = grounding.label,
                            .model = box,
                            .pixels = pixels,
                            .crop = is_image ? std::optional(crops++) : std::nullopt});
    }
  }
  return page;
}

}  // namespace ridgeline::predictions
