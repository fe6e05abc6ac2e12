#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "model_io/datasets/dataset_options.h"

namespace ridgeline::datasets {

// The files of the pages, below the root or absolute; never empty.
//
// With a list: its lines in order, including duplicates. The list is an absolute path, or
// is looked up below the root and then in the working directory. A line is a path below
// the root or an absolute one, including trailing blanks: names may contain spaces and
// commas, or begin with '#'. Only blank lines and the '\r' of Windows are ignored.
// Missing files are reported in one error: their number, and the first 20.
//
// Without a list: all files that match any pattern, without duplicates, sorted by the
// bytes of their paths.
Result<std::vector<std::filesystem::path>> FindPages(const DatasetOptions& options);

}  // namespace ridgeline::datasets
