// Maps requests to files. Every served file is in a run directory, and so are the targets
// of its links.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::artifacts {

// Whether it is a run directory: it contains a manifest.
bool IsRun(const std::filesystem::path& directory);

// Whether a directory of this name, on the path to a run, is excluded from searching and
// serving: hidden ones and node_modules.
bool IsNeverSearched(std::string_view name);

struct RunAndRest {
  std::filesystem::path run;          // Below `root`, or `root` itself.
  std::span<const std::string> rest;  // The parts after it in the request.
};

// The run that the parts of a request begin with, possibly `root` itself. A run directory
// ends the search: runs are not nested. Links and hidden directories are not followed, as
// in FindRuns(). `root` is absolute, with its links resolved.
std::optional<RunAndRest> FindRun(const std::filesystem::path& root,
                                  std::span<const std::string> parts);

// The regular file of a run, links resolved; empty if there is none or it is outside the
// run.
std::optional<std::filesystem::path> FindFile(const std::filesystem::path& run,
                                              std::span<const std::string> parts);

// Contents of a file at the top of a run directory. Errors if FindFile() would reject it
// or if it is larger than 64 MiB.
Result<std::string> ReadOwnFile(const std::filesystem::path& run,
                                const std::filesystem::path& file);

}  // namespace ridgeline::artifacts
