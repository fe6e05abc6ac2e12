// Labelled bounding boxes on an image, as a model generated them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::images {

// In the model's own units: 0 is the left or upper edge of the page, 999 the other one,
// whatever its size. A model may write more, or a box that is turned over: it is kept as
// written, except that nothing is beyond a million.
struct ModelBox {
  int x1 = 0;
  int y1 = 0;
  int x2 = 0;
  int y2 = 0;

  bool operator==(const ModelBox&) const = default;
};

struct Grounding {
  std::string label;
  std::vector<ModelBox> boxes;
  size_t begin = 0;  // The bytes of the text that are this tag: [begin, end).
  size_t end = 0;

  bool operator==(const Grounding&) const = default;
};

struct GroundedText {
  std::vector<Grounding> groundings;  // In the order of the text; they do not overlap.
  // Tags that are broken off, nested, in the wrong order or without readable numbers.
  // They stay text. What belongs together counts once.
  size_t tags_malformed = 0;

  bool operator==(const GroundedText&) const = default;
};

// The label of boxes that are cropped from the page as separate images.
inline constexpr std::string_view kImageLabel = "image";

// "images/3.jpg": where the crop of the page's image box `number` (from 0, in the order
// of the text) lies, seen from the page's folder.
inline std::string CropPath(size_t number) {
  return "images/" + std::to_string(number) + ".jpg";
}

}  // namespace ridgeline::images
