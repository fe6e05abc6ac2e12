#pragma once

#include "models/deepseek_ocr/preprocess.h"
#include "networks/deepseek_ocr/vision.h"
#include "networks/deepseek_ocr/weights.h"

namespace ridgeline::inference {

// A page's views as the network takes them.
networks::deepseek_ocr::PageTensors ToTensors(
    const models::deepseek_ocr::PageViews& views,
    const networks::deepseek_ocr::WeightOptions& options);

}  // namespace ridgeline::inference
