#pragma once

#include "models/deepseek_ocr/network/vision.h"
#include "models/deepseek_ocr/network/weights.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::networks::deepseek_ocr {

// Converts the views of a page to network inputs.
PageTensors ToTensors(const models::deepseek_ocr::PageViews& views,
                      const WeightOptions& options);

}  // namespace ridgeline::networks::deepseek_ocr
