#pragma once

#include "base/result.h"
#include "inference/session.h"
#include "models/deepseek_ocr/network/generate.h"

namespace ridgeline::networks::deepseek_ocr {

// Reads the page as Generate does and counts the products of matrices, phase by phase.
// The network must attend in blocks, not in a fused kernel, whose shapes tell nothing.
Result<inference::OpCounts> CountOps(const Network& network, const GenerateInput& input,
                                     int64_t decode_steps);

}  // namespace ridgeline::networks::deepseek_ocr
