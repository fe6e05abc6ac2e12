#pragma once

#include <string>

#include "model_io/predictions/grounding.h"
#include "model_io/predictions/page_boxes.h"
#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {

// What is known of one page when its folder is written.
struct PageFacts {
  const PagePrediction& prediction;
  std::string image_md5;
  int width = 0;  // Of the picture, in pixels.
  int height = 0;
  const GroundedText& grounded;
  const PageBoxes& boxes;
};

// The text of info.json: the source, its size, every box in the model's units and in
// pixels with its colour and crop, counts, tokens and times.
std::string PageInfoJson(const PageFacts& facts);

}  // namespace ridgeline::predictions
