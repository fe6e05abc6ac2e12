#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "model_io/checkpoints/dtype.h"
#include "models/deepseek_ocr/dimensions.h"

namespace ridgeline::models::deepseek_ocr {

struct CreateOptions {
  Dimensions dimensions;
  uint64_t seed = 0;
  checkpoints::DType dtype = checkpoints::DType::kBf16;  // Or kF32.
};

// Writes a checkpoint with random weights in Hugging Face's layout: config.json, the
// weights with their index, and a tokenizer with single bytes and the model's special
// tokens. The same options give the same bytes on every machine. Creates `directory` if
// needed; fails if a file would be replaced.
Status CreateCheckpoint(const std::filesystem::path& directory,
                        const CreateOptions& options);

// tokenizer.json of CreateCheckpoint: the 256 bytes as tokens 3 to 258, no merges,
// followed by the special tokens.
std::string ByteTokenizerJson();

}  // namespace ridgeline::models::deepseek_ocr
