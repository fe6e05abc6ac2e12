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
  int64_t placeholders = 0;  // Number of image tokens.
};

// BOS, the text before "<image>", the placeholders, the text after the last one. Like the
// vendor's code: blanks at the ends of the text are stripped; text between two "<image>"
// is dropped; a text without one is on both sides of the placeholders.
std::vector<int64_t> BuildPrompt(std::string_view text, const PromptOptions& options,
                                 const EncodeText& encode);

}  // namespace ridgeline::models::deepseek_ocr
