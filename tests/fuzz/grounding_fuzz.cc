// Any text: the tags found in it lie within it and in its order, their boxes land on the
// page, and the markdown is no longer than the text allows.
#include <string>
#include <string_view>

#include "model_io/predictions/page_boxes.h"
#include "models/deepseek_ocr/grounding.h"
#include "models/deepseek_ocr/page_markdown.h"
#include "tests/fuzz/fuzz.h"

namespace grounding_fuzz {

namespace ocr = ridgeline::models::deepseek_ocr;
namespace predictions = ridgeline::predictions;
using ridgeline::fuzz::AsText;
using ridgeline::fuzz::Require;

void CheckPlaces(const predictions::GroundedText& grounded, size_t size) {
  size_t last_end = 0;
  for (const predictions::Grounding& grounding : grounded.groundings) {
    Require(last_end <= grounding.begin && grounding.begin < grounding.end);
    Require(grounding.end <= size);
    last_end = grounding.end;
  }
}

void CheckBoxes(const predictions::PageBoxes& page, int width, int height) {
  for (const predictions::PageBox& box : page.boxes) {
    const predictions::PixelBox& at = box.pixels;
    for (const int x : {at.x1, at.x2}) Require(x >= 0 && x <= width);
    for (const int y : {at.y1, at.y2}) Require(y >= 0 && y <= height);
  }
}

int Run(const uint8_t* data, size_t size) {
  const std::string_view text = AsText(data, size);
  const predictions::GroundedText grounded = ocr::ParseGroundings(text);
  CheckPlaces(grounded, size);
  CheckBoxes(predictions::BoxesOnPage(grounded, 640, 480), 640, 480);
  const std::string markdown = ocr::PageMarkdown(text, grounded);
  // A box takes ten bytes or more, its link less than thirty.
  Require(markdown.size() <= 3 * size);
  if (grounded.groundings.empty()) Require(markdown == text);
  return 0;
}

}  // namespace grounding_fuzz

RIDGELINE_FUZZ_TARGET(grounding_fuzz)
