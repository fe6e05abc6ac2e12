// The files of golden/ about single parts that need no network.
#pragma once

#include <filesystem>

#include "tests/deepseek_ocr/findings.h"
#include "tests/deepseek_ocr/folder.h"

namespace ridgeline::ocr_cases {

Findings CheckLayouts(const Tensors& recorded);  // layout.safetensors
Findings CheckCropGrids(const Json& file);       // crop_grid.json
Findings CheckNgramBans(const Json& file);       // no_repeat_ngram.json
Findings CheckResizing(const Json& file, const Tensors& recorded);  // resize.*

// tokenizer_*.json: both directions.
Findings CheckTokenizer(const tokenizers::Tokenizer& tokenizer, const Json& file);

}  // namespace ridgeline::ocr_cases
