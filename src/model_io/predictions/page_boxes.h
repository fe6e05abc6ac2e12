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

// Pixels from the upper left corner; x2 and y2 are the first that are outside. Always
// within the page.
struct PixelBox {
  int x1 = 0;
  int y1 = 0;
  int x2 = 0;
  int y2 = 0;

  // Nothing to see and nothing to cut out: flat, turned over or beside the page.
  bool degenerate() const { return x2 <= x1 || y2 <= y1; }
  // Not of a degenerate one.
  images::Box area() const { return {x1, y1, x2 - x1, y2 - y1}; }

  bool operator==(const PixelBox&) const = default;
};

struct PageBox {
  std::string label;
  ModelBox model;
  PixelBox pixels;
  // Of boxes with the label `image`: their number among those of the page, from 0. The
  // degenerate ones have one as well, so that links do not move.
  std::optional<size_t> crop;
};

// A model writes a few hundred boxes at most. Thousands that cover the whole page would
// take hours to draw and fill the disk with crops.
inline constexpr size_t kBoxesMax = 1000;

struct PageBoxes {
  std::vector<PageBox> boxes;  // In the order of the text; the first kBoxesMax of them.
  size_t left_out = 0;         // How many there are beyond these.
  size_t degenerate = 0;       // Of `boxes`.
  size_t clamped = 0;          // Of `boxes`: those with a number outside of 0..999.
};

// On a page of this size in pixels.
PageBoxes BoxesOnPage(const GroundedText& grounded, int width, int height);

}  // namespace ridgeline::predictions
