#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace ridgeline::models::deepseek_ocr {

// Text to ids, without special tokens added.
using EncodeText = std::function<std::vector<int32_t>(std::string_view)>;

struct PromptOptions {
  int64_t bos_id = 0;
  int64_t image_id = 0;      // Of the placeholder "<image>".
  int64_t placeholders = 0;  // How many image tokens there are.
};

// BOS, what stands before "<image>", the placeholders, what stands behind the last one.
// As the vendor has it: the text is stripped of blanks at its ends; what stands between
// two "<image>" vanishes; a text without one stands on both sides of the placeholders.
std::vector<int64_t> BuildPrompt(std::string_view text, const PromptOptions& options,
                                 const EncodeText& encode);

}  // namespace ridgeline::models::deepseek_ocr
