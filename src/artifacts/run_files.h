// Which file a request means. Everything that is served lies in a run directory, and so
// does what its links point to.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::artifacts {

// Whether the directory is that of a run: there is a manifest in it.
bool IsRun(const std::filesystem::path& directory);

// Whether a directory of this name, on the way to a run, is neither searched nor served:
// hidden ones and node_modules.
bool IsNeverSearched(std::string_view name);

struct RunAndRest {
  std::filesystem::path run;          // Below `root`, or `root` itself.
  std::span<const std::string> rest;  // What follows it in the request.
};

// The run that a request's parts begin with, `root` itself included. A run directory ends
// the search: there are no runs in runs. Links and hidden directories are not followed,
// as FindRuns() does not. `root` is absolute, with its links resolved.
std::optional<RunAndRest> FindRun(const std::filesystem::path& root,
                                  std::span<const std::string> parts);

// The regular file of a run, links resolved; nothing if there is none or if it lies
// outside the run.
std::optional<std::filesystem::path> FindFile(const std::filesystem::path& run,
                                              std::span<const std::string> parts);

// Contents of a file at the top of a run directory. Errors if FindFile() would reject it
// or if it is larger than 64 MiB.
Result<std::string> ReadOwnFile(const std::filesystem::path& run,
                                const std::filesystem::path& file);

}  // namespace ridgeline::artifacts
