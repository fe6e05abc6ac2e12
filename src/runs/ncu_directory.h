// Everything that ncu left in a directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/ncu_rows.h"

namespace ridgeline::runs {

struct NcuDirectory {
  results::NcuRows rows;
  // Of each launch: the directory that it was found in, below the one that was given;
  // of a file, its name.
  std::vector<std::string> groups;
  int64_t files = 0;                  // That were read.
  std::vector<std::string> problems;  // Files that could not be, and why.
};

// A directory with all below it, or one file. Files of ncu are known by their content;
// others are passed over. Pages of one directory that show the same launch (raw, details,
// sections) are put together; summaries only count where there is nothing else. An error
// if there is no launch at all.
Result<NcuDirectory> ReadNcuDirectory(const std::filesystem::path& path);

}  // namespace ridgeline::runs
