#pragma once

#include "models/model.h"

namespace ridgeline::models::deepseek_ocr {

// The vision encoder of every checkpoint is built this way.
inline constexpr FixedKey kFixedKeys[] = {{"model.preprocess.patch_size", 16},
                                          {"model.preprocess.downsample_ratio", 4}};

// Outputs used to be one section for all stages, later named `output`.
inline constexpr RenamedKey kRenamedKeys[] = {
    {"outputs.predictions.strip_special_tokens",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.prediction.strip_special_tokens"},
    {"outputs.visualization.max_images",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.visualization.max_images"},
    {"outputs.visualization.thumbnail_width",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.visualization.thumbnail_width"},
    {"output.prediction.strip_special_tokens",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.prediction.strip_special_tokens"},
    {"output.visualization.max_images",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.visualization.max_images"},
    {"output.visualization.thumbnail_width",
     "pipeline.torch_profiler.output.extra.deepseek_ocr.visualization.thumbnail_width"},
};

// Reads config.json and tokenizer.json of the checkpoint, and the headers of its weights;
// nothing for a preset whose checkpoint does not exist yet. Weights are never read.
Result<std::unique_ptr<Model>> Open(const ModelSource& source);

Status Create(const std::filesystem::path& directory,
              const models::CreateOptions& options);

}  // namespace ridgeline::models::deepseek_ocr
