#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model_io/images/grounding.h"
#include "model_io/images/image.h"

namespace ridgeline::predictions {

using images::GroundedText;
using images::Grounding;
using images::ModelBox;

// Pixels from the upper left corner; x2 and y2 are exclusive. Always within the page.
struct PixelBox {
  int x1 = 0;
  int y1 = 0;
  int x2 = 0;
  int y2 = 0;

  // Without area: flat, inverted or outside the page.
  bool degenerate() const { return x2 <= x1 || y2 <= y1; }
  // Must not be degenerate.
  images::Box area() const { return {x1, y1, x2 - x1, y2 - y1}; }

  bool operator==(const PixelBox&) const = default;
};

struct PageBox {
  std::string label;
  ModelBox model;
  PixelBox pixels;
  // For boxes with the label `image`: their number on the page, from 0. Degenerate ones
  // are counted as well, so that links do not change.
  std::optional<size_t> crop;
};

// A model generates a few hundred boxes at most. Thousands that cover the whole page
// would take hours to draw and fill the disk with crops.
inline constexpr size_t kBoxesMax = 1000;

struct PageBoxes {
  std::vector<PageBox> boxes;  // The first kBoxesMax, in text order.
  size_t left_out = 0;         // Number of further ones.
  size_t degenerate = 0;       // Among `boxes`.
  size_t clamped = 0;          // Among `boxes`: coordinates outside 0..999.
};

// For a page of this size in pixels.
PageBoxes BoxesOnPage(const GroundedText& grounded, int width, int height);

}  // namespace ridgeline::predictions
