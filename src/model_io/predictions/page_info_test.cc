#include <gtest/gtest.h>

#include "model_io/predictions/write_page.h"

namespace ridgeline::predictions {
namespace {

TEST(PageInfo, TellsEverythingOfThePage) {
  const Prediction prediction = {
      .image = "pages/a.png",
      .epoch = 1,
      .text =
          "<|ref|>image<|/ref|><|det|>[[0,0,999,500],[9,9,9,1200]]<|/det|>"
          "<|ref|>oops",
      .ids = {5, 6, 1},
      .reached_end = true,
      .prompt_tokens = 283,
      .phases = {{"vision", 0.5}, {"sam", 0.25}},
      .preprocess_s = 0.125};
  const GroundedText grounded = {
      .groundings = {{.label = "image", .boxes = {{0, 0, 999, 500}, {9, 9, 9, 1200}}}},
      .tags_malformed = 1};
  const PageBoxes boxes = BoxesOnPage(grounded, 640, 480);
  EXPECT_EQ(PageInfoJson({.prediction = prediction,
                          .image_md5 = "0123",
                          .width = 640,
                          .height = 480,
                          .grounded = grounded,
                          .boxes = boxes}),
            R"({
  "schema_version": 2,
  "image": "pages/a.png",
  "image_md5": "0123",
  "epoch": 1,
  "width": 640,
  "height": 480,
  "text_bytes": 74,
  "prompt_tokens": 283,
  "generated_tokens": 3,
  "finish_reason": "stop",
  "times": {
    "preprocess_s": 0.125,
    "vision_s": 0.5,
    "sam_s": 0.25
  },
  "counts": {
    "tags": 1,
    "tags_malformed": 1,
    "boxes": 2,
    "boxes_left_out": 0,
    "boxes_degenerate": 1,
    "boxes_clamped": 1,
    "image_boxes": 2,
    "crops": 1
  },
  "boxes": [
    {
      "label": "image",
      "normalised": [
        0,
        0,
        999,
        500
      ],
      "pixels": [
        0,
        0,
        640,
        240
      ],
      "degenerate": false,
      "colour": "#104070",
      "crop": "images/0.jpg"
    },
    {
      "label": "image",
      "normalised": [
        9,
        9,
        9,
        1200
      ],
      "pixels": [
        5,
        4,
        5,
        480
      ],
      "degenerate": true,
      "colour": "#104070",
      "crop": null
    }
  ]
}
)");
}

TEST(PageInfo, TakesAnyBytes) {
  const Prediction prediction = {.image = "\xff.png",
                                 .text = "<|ref|>\xc3<|/ref|><|det|>[[1,2,3,4]]<|/det|>"};
  const GroundedText grounded = {
      .groundings = {{.label = "\xc3", .boxes = {{1, 2, 3, 4}}}}};
  const PageBoxes boxes = BoxesOnPage(grounded, 9, 9);
  const std::string json =
      PageInfoJson({.prediction = prediction, .grounded = grounded, .boxes = boxes});
  EXPECT_NE(json.find("\"label\": \"\xef\xbf\xbd\""), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::predictions
