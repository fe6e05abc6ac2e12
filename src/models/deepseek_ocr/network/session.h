#pragma once

#include <memory>

#include "base/result.h"
#include "inference/session.h"

namespace ridgeline::networks::deepseek_ocr {

// Loads a checkpoint with its tokenizer; creates it first if configured.
Result<std::unique_ptr<inference::Session>> MakeSession(
    const inference::SessionOptions& options);

}  // namespace ridgeline::networks::deepseek_ocr
