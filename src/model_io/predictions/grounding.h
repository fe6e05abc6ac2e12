// Where on the page the model saw what it names. Its text holds tags such as
//   <|ref|>image<|/ref|><|det|>[[61, 112, 930, 480]]<|/det|>
// between the words that it read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::predictions {

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
};

struct GroundedText {
  std::vector<Grounding> groundings;  // In the order of the text; they do not overlap.
  // Tags that are broken off, nested, in the wrong order or without readable numbers.
  // They stay text. What belongs together counts once.
  size_t tags_malformed = 0;
};

// Any text will do. Takes time and memory in proportion to its length.
GroundedText ParseGroundings(std::string_view text);

}  // namespace ridgeline::predictions
