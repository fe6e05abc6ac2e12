// All ncu output in a directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::runs {

struct NcuDirectory {
  results::NcuRows rows;
  // For each launch: its directory, relative to the given one; for a file, its name.
  std::vector<std::string> groups;
  int64_t files = 0;                  // Number read.
  std::vector<std::string> problems;  // Unreadable files, with reasons.
};

// A directory tree or one file. ncu files are recognized by their content; others are
// skipped. Pages of one directory that show the same launch (raw, details, sections) are
// merged; summaries are used only if there is nothing else. An error if there are no
// launches at all.
Result<NcuDirectory> ReadNcuDirectory(const std::filesystem::path& path);

}  // namespace ridgeline::runs
