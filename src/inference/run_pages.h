#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "inference/options.h"

namespace ridgeline::inference {

struct RunPlace {
  std::filesystem::path output;         // Exists; predictions and metrics go here.
  std::filesystem::path progress_file;  // Empty: nobody wants to know.
};

// Reads every sample of the dataset as often as the options say, and writes
// predictions.jsonl (of the first time) and metrics.json (of all).
Status RunPages(const Options& options, const RunPlace& place);

}  // namespace ridgeline::inference
