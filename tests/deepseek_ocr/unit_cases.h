#pragma once

#include "tests/deepseek_ocr/folder.h"

namespace ridgeline::ocr_cases {

// units.json and units.safetensors: single layers and tables of the network.
Findings CheckUnits(const networks::deepseek_ocr::Network& network, const Json& file,
                    const Tensors& recorded);

}  // namespace ridgeline::ocr_cases
