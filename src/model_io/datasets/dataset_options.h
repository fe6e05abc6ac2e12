#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::datasets {

// What to do if a page cannot be read.
enum class OnError {
  kSkip,  // The page is counted, reported and skipped.
  kFail,  // The run fails.
};

// The configuration section `dataset`.
struct DatasetOptions {
  std::filesystem::path root;  // Relative to working_directory.
  // A text file with one page per line; nullopt: use the patterns.
  std::optional<std::string> subset_filelist;
  std::vector<std::string> fallback_patterns;  // Relative to root; syntax see glob.h.
  std::filesystem::path working_directory;     // Where the user started the command.
  OnError on_error = OnError::kSkip;

  int64_t num_epochs = 1;                        // At least 1.
  std::optional<int64_t> num_samples_per_epoch;  // At least 1; nullopt: every page.
  bool randomize = false;
  std::optional<uint64_t> seed;  // For shuffling; nullopt: a new one for each run.
};

}  // namespace ridgeline::datasets
