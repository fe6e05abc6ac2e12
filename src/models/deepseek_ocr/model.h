#pragma once

#include "models/model.h"

namespace ridgeline::models::deepseek_ocr {

// Reads config.json and tokenizer.json of the checkpoint, and the headers of its weights;
// nothing for a preset whose checkpoint does not exist yet. Weights are never read.
Result<std::unique_ptr<Model>> Open(const ModelSource& source);

Status Create(const std::filesystem::path& directory,
              const models::CreateOptions& options);

}  // namespace ridgeline::models::deepseek_ocr
