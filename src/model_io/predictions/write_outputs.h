#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model_io/predictions/predictions_file.h"

namespace ridgeline::predictions {

// Writes the predictions of a stage. Missing directories are created.
struct OutputOptions {
  bool prediction_enable = false;
  std::filesystem::path prediction_dir;  // predictions.jsonl.
  bool visualization_enable = false;
  std::filesystem::path visualization_dir;  // predictions.md and a folder for each page.
  // predictions.jsonl and the gallery have the clean text as their text. Boxes come from
  // the whole text all the same.
  bool strip_special_tokens = false;
  std::optional<int64_t> max_images = 16;  // In the gallery; nothing: all of them.
  int thumbnail_width = 480;               // Pixels, 1 or more.
};

struct WrittenOutputs {
  size_t pages_with_folder = 0;
  size_t pages_in_gallery = 0;
  // Pages whose picture could not be read or drawn: they have no folder, and the gallery
  // says why.
  std::vector<std::string> problems;
};

// Writes all that the options ask for, each file or folder as a whole. The predictions
// come first: they need no picture. An error if something cannot be written.
Result<WrittenOutputs> WriteOutputs(const OutputOptions& options,
                                    std::span<const Prediction> predictions);

}  // namespace ridgeline::predictions
