#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "model_io/datasets/dataset_options.h"

namespace ridgeline::datasets {

// The files of the pages, below the root or absolute, never empty.
//
// With a list: its lines, in its order, as often as they stand there. The list itself is
// absolute, or is looked for below the root and then where the user is. A line is a path
// below the root or an absolute one, to the last blank: names may hold spaces, commas, or
// begin with '#'. Only blank lines and the '\r' of Windows are passed over. All files
// that are missing are one error: their number, and the first 20.
//
// Without: all files that some pattern finds, in the order of the bytes of their paths,
// each once.
Result<std::vector<std::filesystem::path>> FindPages(const DatasetOptions& options);

}  // namespace ridgeline::datasets
