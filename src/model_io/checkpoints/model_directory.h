#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::checkpoints {

// The directory with config.json that `path` stands for: itself, or, if it is a model's
// folder in the Hugging Face cache, the snapshot that refs/main names, or the only one:
//
//   models--deepseek-ai--DeepSeek-OCR/refs/main               9f30c71f441d...
//   models--deepseek-ai--DeepSeek-OCR/snapshots/9f30c71f441d.../config.json
//
// Whether config.json is really there is not looked at.
Result<std::filesystem::path> FindModelDirectory(const std::filesystem::path& path);

}  // namespace ridgeline::checkpoints
