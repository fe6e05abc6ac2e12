#pragma once

#include "models/deepseek_ocr/preprocess.h"
#include "networks/deepseek_ocr/vision.h"
#include "networks/deepseek_ocr/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// A page's views as the network takes them.
PageTensors ToTensors(const models::deepseek_ocr::PageViews& views,
                      const WeightOptions& options);

}  // namespace ridgeline::networks::deepseek_ocr
