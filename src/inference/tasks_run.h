#pragma once

#include <filesystem>

#include "base/result.h"
#include "inference/options.h"

namespace ridgeline::inference {

struct RunPlace {
  std::filesystem::path output;         // Exists; predictions and metrics go here.
  std::filesystem::path progress_file;  // Empty: nobody wants to know.
};

// What a run says of itself at its end.
struct RunVerdict {
  std::vector<std::string> problems;  // Pages that could not be drawn.
  bool differs = false;               // From the reference; parity.json says where.
  std::string parity;                 // In one sentence; empty: nothing to compare with.
};

// Reads every sample of the dataset as often as the options say, and writes the outputs
// (of the first time), metrics.json (of all) and, with a reference, parity.json.
Result<RunVerdict> RunPages(const Options& given, const RunPlace& place,
                            inference::LoadSession load);

}  // namespace ridgeline::inference
