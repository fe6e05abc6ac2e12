#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::datasets {

// What becomes of a run when a page cannot be read.
enum class OnError {
  kSkip,  // The page is counted, named and skipped.
  kFail,  // The run fails.
};

// The configuration section `dataset`.
struct DatasetOptions {
  std::filesystem::path root;  // Relative: from working_directory.
  // A text file with one page per line; nothing: the patterns.
  std::optional<std::string> subset_filelist;
  std::vector<std::string> fallback_patterns;  // As in glob.h, from root.
  std::filesystem::path working_directory;     // Where the user is.
  OnError on_error = OnError::kSkip;

  int64_t num_epochs = 1;                        // At least 1.
  std::optional<int64_t> num_samples_per_epoch;  // At least 1; nothing: every page.
  bool randomize = false;
  std::optional<uint64_t> seed;  // Of the shuffle; nothing: a new one each run.
};

}  // namespace ridgeline::datasets
