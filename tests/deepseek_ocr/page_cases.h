#pragma once

#include "tests/deepseek_ocr/folder.h"

namespace ridgeline::ocr_cases {

// One entry of cases.json: views, ids, features, logits and what is generated, against
// what the entry and cases.safetensors say.
Findings CheckPage(const std::filesystem::path& folder, const Model& model,
                   const Tensors& recorded, const Json& entry);

// One entry of cases_bf16.json: the checkpoint in bf16, computed in f32.
Findings CheckBf16Page(const std::filesystem::path& folder, const Model& model,
                       const Tensors& recorded, const Json& entry);

// A row of prompt_ids.json; `common` is the file, which says what the page is.
Findings CheckPromptIds(const std::filesystem::path& folder, const Model& model,
                        const Json& common, const Json& row);

}  // namespace ridgeline::ocr_cases
